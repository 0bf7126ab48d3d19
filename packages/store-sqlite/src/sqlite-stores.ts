import { resolve } from 'node:path';
import { sqlStores, sqliteBuilder } from '@modelwire/store-sql';
import type { Stores } from '@modelwire/ports';
import { openThreadDatabase } from './thread-database.ts';

export interface SqliteStoresOptions {
  /** The file. It and its folder are made when they are not there, for this user only. */
  readonly path: string;
  /** Milliseconds to wait for another process that writes to the same file. Default 5000. */
  readonly busyTimeoutMs?: number | undefined;
  /** Milliseconds after which an operation fails, with its wait for a thread. Default 10,000. */
  readonly operationTimeoutMs?: number | undefined;
  /** Threads for lists and other queries that may look at many rows, beside the one for lookups by id or key. Default 2. */
  readonly scanThreads?: number | undefined;
}

/**
 * Opens the stores in one SQLite file, and brings its tables up to date.
 *
 * What resolved is on the disk. Writes that are waiting share a commit. Work is done in threads, so that a slow disk holds up no
 * stream, a commit no read, and a slow list no lookup; a thread that dies is replaced. An idle store does not keep the process up. Several
 * processes of one machine may open the same file.
 *
 * Beside the file, `path` with `-reserve` takes 4 MiB, which are given up when the disk is full so that rows can still be deleted.
 *
 * @throws {StoreTooNewError} when a newer program made the tables.
 * @throws {StoreError} when the file cannot be opened.
 */
export async function openSqliteStores(options: SqliteStoresOptions): Promise<Stores> {
  const { path, busyTimeoutMs = 5000, operationTimeoutMs = 10_000, scanThreads = 2 } = options;
  if (typeof path !== 'string' || path === '' || path.startsWith(':memory:') || path.startsWith('file:')) {
    throw new TypeError('path must be the path of a file');
  }
  if (!Number.isInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new TypeError('busyTimeoutMs must be an integer number of milliseconds, 0 or more');
  }
  for (const [name, value] of Object.entries({ operationTimeoutMs, scanThreads })) {
    if (!Number.isInteger(value) || value < 1) throw new TypeError(`${name} must be an integer of at least 1`);
  }
  const database = await openThreadDatabase({ path: resolve(path), busyTimeoutMs, operationTimeoutMs, scanThreads });
  return sqlStores({ database, builder: sqliteBuilder(), check: { sql: 'delete from keys where 0', parameters: [] } });
}
