import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from './config/config-error.ts';

/**
 * Makes this process the only server on a data folder, until what it gives is called or the process ends, in whatever way: the lock is the
 * operating system's, held through an SQLite file of its own. Commands such as `keys create` do not take it.
 *
 * @throws {ConfigError} naming the folder and the process that has it.
 */
export function lockFolder(folder: string): () => Promise<void> {
  const ownerFile = join(folder, 'server.owner');
  let lock: DatabaseSync;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(join(folder, 'server.lock'), { timeout: 0 });
  } catch (error) {
    throw unusable(folder, error);
  }
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? taken(folder, ownerOf(ownerFile)) : unusable(folder, error);
  }
  try {
    // Beside the lock, since nobody can read a file that is locked.
    writeFileSync(ownerFile, `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`, {
      mode: 0o600,
    });
  } catch {
    // It only makes a message clearer: on a full disk the server starts without it.
  }
  let held = true;
  return () => {
    if (held) lock.close();
    held = false;
    return Promise.resolve();
  };
}

function taken(folder: string, owner: string): ConfigError {
  return new ConfigError(
    `data: another server (${owner}) uses the folder ${folder}: stop it, set MODELWIRE_DATA to another folder, or use PostgreSQL (MODELWIRE_DATABASE_URL) to run several servers`,
  );
}

function unusable(folder: string, error: unknown): ConfigError {
  return new ConfigError(
    `data: the folder ${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
  );
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
  );
}

function ownerOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'an unknown process';
  }
}
