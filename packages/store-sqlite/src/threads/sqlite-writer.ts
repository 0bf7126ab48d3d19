import { resolve } from 'node:path';
import { failureOf } from '../file/failure.ts';
import { threadPool } from './thread-pool.ts';
import type { Outcome, SqlCall } from './protocol.ts';

export interface SqliteWriterOptions {
  /** The file. It and its folder are created if missing, accessible only to this user. */
  readonly path: string;
  /** Milliseconds to wait for another process that writes to the same file. Default 5000. */
  readonly busyTimeoutMs?: number | undefined;
  /** Milliseconds after which a write fails, including the wait for the thread. Default 10,000. */
  readonly operationTimeoutMs?: number | undefined;
}

/** The statements of one transaction. Plain data. */
export type SqliteWrite = readonly SqlCall[];

/** The rows of each statement of a write, or its error. Plain data. */
export type SqliteWriteOutcome = Outcome;

/** Writes for stores that other processes open with `writer`. */
export interface SqliteWriter {
  /** Runs the statements in one transaction, durable when it resolves. Waiting writes share a commit. Never rejects. */
  run(write: SqliteWrite): Promise<SqliteWriteOutcome>;
  /** Whether it failed so often that only a restart of this process may help. */
  hasFailed(): boolean;
  /** Resolves when all pending writes are done and the connection is closed. */
  close(): Promise<void>;
}

/**
 * Opens the writing connection of a SQLite file and migrates its tables. One process of a server opens it and runs the writes of all:
 * connections of several processes would wait for each other's locks by polling, and not share commits.
 *
 * @throws {StoreTooNewError} when a newer program created the tables.
 * @throws {StoreError} when the file cannot be opened.
 */
export async function openSqliteWriter({
  path,
  busyTimeoutMs = 5000,
  operationTimeoutMs = 10_000,
}: SqliteWriterOptions): Promise<SqliteWriter> {
  const init = { path: resolve(path), busyTimeoutMs, writes: true };
  const pool = threadPool({ init, threads: 1, maxBatch: Infinity, operationTimeoutMs });
  await pool.open();
  return {
    async run(write) {
      try {
        return { type: 'done', rows: await pool.run(write) };
      } catch (error) {
        return failureOf(error);
      }
    },
    hasFailed: () => pool.hasFailed(),
    close: () => pool.close(),
  };
}
