import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../config/config-error.ts';
import { createFolder } from './create-folder.ts';

/**
 * Makes this process the only server on a data folder until the returned function is called or the process exits, in whatever way: it is
 * a file lock of the operating system, held through a separate SQLite file. Commands such as `keys create` do not take it.
 *
 * @throws {ConfigError} that names the folder and the process that holds the lock.
 */
export function lockFolder(folder: string): () => Promise<void> {
  const ownerFile = join(folder, 'server.owner');
  let lock: DatabaseSync;
  try {
    createFolder(folder);
    lock = new DatabaseSync(join(folder, 'server.lock'), { timeout: 0 });
  } catch (error) {
    throw unusableFolder(folder, error);
  }
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? folderInUse(folder, readOwner(ownerFile)) : unusableFolder(folder, error);
  }
  try {
    // In a separate file: the locked file cannot be read.
    writeFileSync(ownerFile, `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`, {
      mode: 0o600,
    });
  } catch {
    // The owner only makes an error message clearer: on a full disk the server starts without it.
  }
  let isHeld = true;
  return () => {
    if (isHeld) lock.close();
    isHeld = false;
    return Promise.resolve();
  };
}

function folderInUse(folder: string, owner: string): ConfigError {
  return new ConfigError(
    `data: the folder ${folder} is in use by another server (${owner}): stop it, set MODELWIRE_DATA to another folder, or use PostgreSQL (MODELWIRE_DATABASE_URL) to run several servers`,
  );
}

function unusableFolder(folder: string, error: unknown): ConfigError {
  return new ConfigError(
    `data: cannot use the folder ${folder}: ${error instanceof Error ? error.message : String(error)}`,
  );
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
  );
}

function readOwner(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'an unknown process';
  }
}
