import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { staticKeys } from '@modelwire/server';
import { noAccessLimits } from '@modelwire/ports';
import type { KeyStore, Authenticator } from '@modelwire/ports';
import { hashKey, makeKey, storedKeys } from '@modelwire/server/keys';

export interface KeySettings {
  readonly apiKeys?: readonly string[] | undefined;
  /** Where `apiKeys` was set. */
  readonly keysFrom?: 'environment' | 'file' | undefined;
  readonly data: string;
}

export interface ApiKeys {
  readonly authenticator: Authenticator;
  /** Where the keys come from; `created` and `stored` mean the key that the server created for itself. */
  readonly from: 'environment' | 'file' | 'stored' | 'created';
  /** The key, if this start created it: it is printed once. */
  readonly created?: string | undefined;
  /** The key that determines the permissions of the console link printed at startup. */
  readonly signInKey: string;
  /** The file with the key that the server created for itself. */
  readonly file?: string | undefined;
  readonly count: number;
  /** Number of configured keys that are shorter than 16 characters. */
  readonly shortKeys: number;
}

/** Shorter keys are easy to guess. */
const shortKeyLength = 16;

/** Accepts the configured keys, if any, and those in the store. If none is configured, the first start creates one. */
export async function loadApiKeys(
  { apiKeys, keysFrom = 'file', data }: KeySettings,
  store: KeyStore,
): Promise<ApiKeys> {
  const stored = storedKeys(store);
  await addDefaultProject(store);
  if (apiKeys) {
    const configured = staticKeys(apiKeys);
    const authenticator: Authenticator = {
      authenticate: (key) => configured.authenticate(key) ?? stored.authenticate(key),
      authenticateHash: (hash) => configured.authenticateHash?.(hash) ?? stored.authenticateHash?.(hash),
    };
    const shortKeys = apiKeys.filter(({ length }) => length < shortKeyLength).length;
    return { authenticator, from: keysFrom, count: apiKeys.length, shortKeys, signInKey: apiKeys[0] ?? '' };
  }
  const { key, file, isNew } = readOrCreateKey(data);
  // The file may be older than the database.
  if (!(await store.findByHash(hashKey(key)))) {
    // An administrator's: whoever starts the server may see everything.
    const record = { ...makeKey({ name: 'created at the first start', role: 'admin' }).record, hash: hashKey(key) };
    await store.add({ ...record, hint: `${key.slice(0, 7)}…` }).catch(async (error: unknown) => {
      // Another server that starts at the same time may have added it.
      if (!(await store.findByHash(hashKey(key)))) throw error;
    });
  }
  const from = isNew ? 'created' : 'stored';
  return {
    authenticator: stored,
    from,
    created: isNew ? key : undefined,
    file,
    count: 1,
    shortKeys: 0,
    signInKey: key,
  };
}

/** The project of keys that name none. */
async function addDefaultProject(store: KeyStore): Promise<void> {
  if (await store.getProject('default')) return;
  await store.addProject({
    id: 'default',
    name: 'Default project',
    created: Math.floor(Date.now() / 1000),
    archived: null,
    ...noAccessLimits,
    storageLimitBytes: null,
  });
}

/** Reads the key that the server created for itself. The first start creates it, in a file with mode 0600. */
function readOrCreateKey(data: string): { readonly key: string; readonly file: string; readonly isNew: boolean } {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, 'api-key');
  const { key } = makeKey();
  try {
    // 'wx': of two servers that start at the same time, the second one uses the key of the first.
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return { key, file, isNew: true };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const existing = readFileSync(file, 'utf8').trim();
    if (existing.length < 8)
      throw new Error(`${file} contains no valid key. Delete the file to create a new key.`, { cause: error });
    return { key: existing, file, isNew: false };
  }
}
