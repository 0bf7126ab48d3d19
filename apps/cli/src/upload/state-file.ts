import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FilePurpose } from '@modelwire/client';
import type { UploadState } from '@modelwire/uploads';
import { readIfExists } from '../config/private-file.ts';
import { isRecord, parseJson } from '../json.ts';

/** Identifies an upload. Another file, server or purpose is another upload. */
export interface Identity {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly baseURL: string;
  readonly purpose: FilePurpose;
  readonly name: string;
}

/** The default state file of an upload. */
export function statePath(stateFolder: string, identity: Identity): string {
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
  return join(stateFolder, 'uploads', `${name}.json`);
}

/** The state of an upload, or `undefined` if there is none, it is of another file, or it has expired. */
export async function readState(path: string, identity: Identity): Promise<UploadState | undefined> {
  // A file that a crash has truncated is not JSON.
  const value = parseJson((await readIfExists(path)) ?? '');
  if (!isRecord(value) || !isRecord(value['state'])) return undefined;
  if (JSON.stringify(value['identity']) !== JSON.stringify(identity)) return undefined;
  const { upload_id, bytes, part_size, part_ids, expires_at } = value['state'];
  if (typeof upload_id !== 'string' || typeof bytes !== 'number' || typeof part_size !== 'number') return undefined;
  if (typeof expires_at !== 'number' || expires_at * 1000 <= Date.now() || !Array.isArray(part_ids)) return undefined;
  const ids = part_ids.map((id: unknown) => (typeof id === 'string' ? id : null));
  return { upload_id, bytes, part_size, part_ids: ids, expires_at };
}

/** Writes the state synchronously and atomically, since the process can be killed at any time. It contains no API key. */
export function writeState(path: string, identity: Identity, state: UploadState): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify({ identity, state }), { mode: 0o600 });
  renameSync(temporary, path);
}

export function removeState(path: string): void {
  rmSync(path, { force: true });
}
