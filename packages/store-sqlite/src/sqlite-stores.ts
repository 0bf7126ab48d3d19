import { resolve } from 'node:path';
import { sqlStores, sqliteBuilder } from '@modelwire/store-sql';
import type { Stores } from '@modelwire/server';
import { openThreadDatabase } from './thread-database.ts';

export interface SqliteStoresOptions {
  /** The file. It and its folder are made when they are not there, for this user only. */
  readonly path: string;
  /** Milliseconds to wait for another process that writes to the same file. Default 5000. */
  readonly busyTimeoutMs?: number | undefined;
}

/**
 * Opens the stores in one SQLite file, and brings its tables up to date.
 *
 * What resolved is on the disk. Writes that are waiting share a commit. Work is done in two threads, so that a slow disk holds up no
 * stream and a commit no read; an idle store does not keep the process up. Several processes of one machine may open the same file.
 *
 * @throws {StoreTooNewError} when a newer program made the tables.
 * @throws {StoreError} when the file cannot be opened.
 */
export async function openSqliteStores(options: SqliteStoresOptions): Promise<Stores> {
  const { path, busyTimeoutMs = 5000 } = options;
  if (typeof path !== 'string' || path === '' || path.startsWith(':memory:') || path.startsWith('file:')) {
    throw new TypeError('path must be the path of a file');
  }
  if (!Number.isInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new TypeError('busyTimeoutMs must be a whole number of milliseconds, 0 or more');
  }
  const database = await openThreadDatabase({ path: resolve(path), busyTimeoutMs });
  return sqlStores({ database, builder: sqliteBuilder(), check: { sql: 'delete from keys where 0', parameters: [] } });
}
