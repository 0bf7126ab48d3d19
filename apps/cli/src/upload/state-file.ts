import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UploadState } from '@modelwire/uploads';
import { isRecord } from '../config/profiles.ts';
import { readIfThere } from '../config/private-file.ts';

/** What makes an upload the same one as before: another file, server or purpose has another state. */
export interface Identity {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly baseURL: string;
  readonly purpose: string;
  readonly name: string;
}

/** Where the state of an upload is kept, unless a file is named. */
export function statePath(stateFolder: string, identity: Identity): string {
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
  return join(stateFolder, 'uploads', `${name}.json`);
}

/** How far an upload had come, or nothing: none was begun, it was of another file, or the server has forgotten it. */
export async function readState(path: string, identity: Identity): Promise<UploadState | undefined> {
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Cut by a crash of the machine: as good as none.
    return undefined;
  }
  if (!isRecord(value) || !isRecord(value['state'])) return undefined;
  if (JSON.stringify(value['identity']) !== JSON.stringify(identity)) return undefined;
  const { upload_id, bytes, part_size, part_ids, expires_at } = value['state'];
  if (typeof upload_id !== 'string' || typeof bytes !== 'number' || typeof part_size !== 'number') return undefined;
  if (typeof expires_at !== 'number' || expires_at * 1000 <= Date.now() || !Array.isArray(part_ids)) return undefined;
  const ids = part_ids.map((id: unknown) => (typeof id === 'string' ? id : null));
  return { upload_id, bytes, part_size, part_ids: ids, expires_at };
}

/** At once and whole, since the process may be killed behind the next byte. It holds no key. */
export function writeState(path: string, identity: Identity, state: UploadState): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, JSON.stringify({ identity, state }), { mode: 0o600 });
  renameSync(beside, path);
}

export function removeState(path: string): void {
  rmSync(path, { force: true });
}
