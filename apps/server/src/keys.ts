import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { staticKeys } from '@modelwire/server';
import type { Authenticator, KeyStore } from '@modelwire/server';
import { hashKey, makeKey, storedKeys } from '@modelwire/server/keys';

export interface KeySettings {
  readonly apiKeys?: readonly string[] | undefined;
  /** Whether they came from the environment (`configured`) or the file. */
  readonly keysFrom?: 'configured' | 'file' | undefined;
  readonly data: string;
}

export interface Keys {
  readonly authenticator: Authenticator;
  /** How a curl line gets a key. */
  readonly from: 'configured' | 'file' | 'stored' | 'made';
  /** The key that was made just now: shown once. */
  readonly made?: string | undefined;
  /** The file that holds the key this server made for itself. */
  readonly file?: string | undefined;
  readonly count: number;
  /** How many configured keys are shorter than 16 characters. */
  readonly shortKeys: number;
}

/** Shorter keys can be guessed where a server can be reached by others. */
const shortKeyLength = 16;

/** Who may call: the configured keys, if any, and those in the store. Where none is configured, there is one from the first start on. */
export async function keysOf({ apiKeys, keysFrom = 'file', data }: KeySettings, store: KeyStore): Promise<Keys> {
  const stored = storedKeys(store);
  if (apiKeys) {
    const configured = staticKeys(apiKeys);
    const authenticator: Authenticator = {
      authenticate: (key) => configured.authenticate(key) ?? stored.authenticate(key),
    };
    const shortKeys = apiKeys.filter(({ length }) => length < shortKeyLength).length;
    return { authenticator, from: keysFrom, count: apiKeys.length, shortKeys };
  }
  const { key, file, made } = ownKey(data);
  // The file may be older than the database, or from before there was one.
  if (!(await store.findByHash(hashKey(key)))) {
    const record = { ...makeKey({ name: 'made at the first start' }).record, hash: hashKey(key) };
    await store.add({ ...record, hint: `${key.slice(0, 7)}…` }).catch(async (error: unknown) => {
      // Another server that starts at the same time has added it.
      if (!(await store.findByHash(hashKey(key)))) throw error;
    });
  }
  const from = made ? 'made' : 'stored';
  return { authenticator: stored, from, made: made ? key : undefined, file, count: 1, shortKeys: 0 };
}

/** The key this server made for itself: at the first start it is made and put in a file that its owner alone can read. */
function ownKey(data: string): { readonly key: string; readonly file: string; readonly made: boolean } {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, 'api-key');
  const { key } = makeKey();
  try {
    // 'wx': two servers that start at once agree on the one that came first.
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return { key, file, made: true };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const kept = readFileSync(file, 'utf8').trim();
    if (kept.length < 8) throw new Error(`${file} holds no key: delete it and a new one is made`, { cause: error });
    return { key: kept, file, made: false };
  }
}
