import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { resultCode } from './failure.ts';
import { migrate, refuseIncompleteImport } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import type { ThreadInit } from '../threads/protocol.ts';

const cacheKiB = 32 * 1024;
/** Memory-mapped bytes of reading connections, for pages outside their cache: a page of 20 at 10^6 completions takes a fifth less. */
const mappedBytes = 2 ** 30;

/** Opens the file; the writing connection creates it and migrates its tables. */
export function openConnection({ path, writes, busyTimeoutMs }: ThreadInit): DatabaseSync {
  const db = writes ? openWritableDatabase({ path, busyTimeoutMs }) : openReadOnly(path, busyTimeoutMs);
  try {
    if (writes) refuseIncompleteImport(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openReadOnly(path: string, timeout: number): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout });
  try {
    db.exec(`pragma cache_size = -${cacheKiB}; pragma temp_store = memory; pragma mmap_size = ${mappedBytes}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the file for writing, creates it if missing, and migrates its tables. */
export function openWritableDatabase({
  path,
  busyTimeoutMs,
}: Pick<ThreadInit, 'path' | 'busyTimeoutMs'>): DatabaseSync {
  createPrivately(path);
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    db.exec(`pragma cache_size = -${cacheKiB}; pragma temp_store = memory`);
    migrate(db, migrations);
    writeAhead(db, busyTimeoutMs);
    // `full`: a commit is durable when it returns; otherwise a power failure loses the latest ones. On macOS, fsync alone does
    // not flush the disk.
    db.exec('pragma synchronous = full; pragma fullfsync = on; pragma foreign_keys = on');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Prompts are readable only by the user who runs the server. SQLite gives its other files the mode of this one. */
function createPrivately(path: string): void {
  const folder = dirname(path);
  const firstCreatedFolder = mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  // SQLite syncs the folder for the name of its file; new parent folders must be synced here.
  if (firstCreatedFolder === undefined) return;
  for (let current = folder; current.length >= firstCreatedFolder.length; current = dirname(current))
    syncFolder(dirname(current));
}

/** Makes the names in a folder durable. */
function syncFolder(folder: string): void {
  // Windows cannot open folders; NTFS journals names itself.
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** SQLite ignores its timeout when two processes switch a file to write-ahead logging concurrently, so we wait. */
function writeAhead(db: DatabaseSync, timeoutMs: number): void {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += 10) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      const busy = ((resultCode(error) ?? 0) & 0xff) === 5;
      if (!busy || waited >= timeoutMs) throw error;
      Atomics.wait(sleeping, 0, 0, 10);
    }
  }
}
