import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Keys {
  readonly keys: readonly string[];
  /** Where they came from: this says how a curl line gets one. */
  readonly from: 'configured' | 'file' | 'stored' | 'made';
  /** The file that holds the key that was made; undefined for configured ones. */
  readonly file: string | undefined;
}

export interface KeySettings {
  readonly apiKeys?: readonly string[] | undefined;
  /** Whether they came from the environment (`configured`) or the file. */
  readonly keysFrom?: 'configured' | 'file' | undefined;
  readonly data: string;
}

/** The configured keys, or the one this server made for itself: at the first start it is made and stored, readable by its owner alone. */
export function keysOf({ apiKeys, keysFrom = 'file', data }: KeySettings): Keys {
  if (apiKeys) return { keys: apiKeys, from: keysFrom, file: undefined };
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, 'api-key');
  const made = `mw-${randomBytes(32).toString('base64url')}`;
  try {
    // 'wx': two servers that start at once agree on the one that came first.
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx' });
    return { keys: [made], from: 'made', file };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const stored = readFileSync(file, 'utf8').trim();
    if (stored.length < 8) throw new Error(`${file} holds no key: delete it and a new one is made`, { cause: error });
    return { keys: [stored], from: 'stored', file };
  }
}
