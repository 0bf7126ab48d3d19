import { resolve } from 'node:path';
import { sqlStores, sqliteBuilder } from '@modelwire/store-sql';
import type { SqlStoresOptions } from '@modelwire/store-sql';
import type { Stores } from '@modelwire/ports';
import type { SqliteWriter } from './threads/sqlite-writer.ts';
import { openThreadDatabase } from './threads/thread-database.ts';

export interface SqliteStoresOptions extends SqlStoresOptions {
  /** The file. It and its folder are created if missing, accessible only to this user. */
  readonly path: string;
  /** Milliseconds to wait for another process that writes to the same file. Default 5000. */
  readonly busyTimeoutMs?: number | undefined;
  /** Milliseconds after which an operation fails, including the wait for a thread. Default 10,000. */
  readonly operationTimeoutMs?: number | undefined;
  /** Threads for lists and other queries that may read many rows, besides the one for lookups by ID or key. Default 2. */
  readonly scanThreads?: number | undefined;
  /**
   * Runs the writes, such as a connection to the process that has opened an `SqliteWriter` of the same file. It is yours to close. Default: a
   * thread of this process.
   */
  readonly writer?: Pick<SqliteWriter, 'run' | 'hasFailed'> | undefined;
}

/**
 * Opens the stores in one SQLite file and migrates its tables.
 * A resolved write is durable. Waiting writes share a commit. Work runs in threads, so that a slow disk does not delay streams,
 * commits do not delay reads, and slow lists do not delay lookups; a thread that dies is replaced. An idle store does not keep
 * the process alive. Several processes of one machine can open the same file.
 * A second file, `path` with `-reserve`, takes 4 MiB. It is released when the disk is full, so that rows can still be deleted.
 * @throws {StoreTooNewError} when a newer program created the tables.
 * @throws {StoreError} when the file cannot be opened.
 */
export async function openSqliteStores(options: SqliteStoresOptions): Promise<Stores> {
  const { path, busyTimeoutMs = 5000, operationTimeoutMs = 10_000, scanThreads = 2, writer } = options;
  if (typeof path !== 'string' || path === '' || path.startsWith(':memory:') || path.startsWith('file:')) {
    throw new TypeError('path must be the path of a file');
  }
  if (!Number.isInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new TypeError('busyTimeoutMs must be an integer of at least 0');
  }
  for (const [name, value] of Object.entries({ operationTimeoutMs, scanThreads })) {
    if (!Number.isInteger(value) || value < 1) throw new TypeError(`${name} must be an integer of at least 1`);
  }
  const database = await openThreadDatabase({
    path: resolve(path),
    busyTimeoutMs,
    operationTimeoutMs,
    scanThreads,
    writer,
  });
  return sqlStores({
    ...options,
    database,
    builder: sqliteBuilder(),
    check: { sql: 'delete from keys where 0', parameters: [] },
  });
}
