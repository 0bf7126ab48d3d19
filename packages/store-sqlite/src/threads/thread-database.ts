import type { RowsOf, SqlDatabase, Statement } from '@modelwire/store-sql';
import { errorOf } from '../file/failure.ts';
import type { ThreadInit } from './protocol.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import { threadPool } from './thread-pool.ts';
import type { ThreadPool } from './thread-pool.ts';

export interface ThreadDatabaseOptions extends Omit<ThreadInit, 'writes'> {
  readonly operationTimeoutMs: number;
  /** Threads for queries that may read many rows, besides the one for lookups. */
  readonly scanThreads: number;
  /** Runs the writes. Default: a thread of this process. */
  readonly writer?: Pick<SqliteWriter, 'run' | 'hasFailed'> | undefined;
}

/**
 * Runs the database in threads, so that slow disks and queries do not delay streams, and reads do not wait for commits: one
 * thread writes, one looks up rows by key, and the others run scans.
 */
export async function openThreadDatabase(options: ThreadDatabaseOptions): Promise<SqlDatabase> {
  const { operationTimeoutMs, scanThreads, writer: otherWriter, ...init } = options;
  const writer = otherWriter
    ? writerOf(otherWriter)
    : // Under load, waiting writes share a commit.
      threadPool({ init: { ...init, writes: true }, threads: 1, maxBatch: Infinity, operationTimeoutMs });
  const reading = { ...init, writes: false };
  const lookups = threadPool({ init: reading, threads: 1, maxBatch: Infinity, operationTimeoutMs });
  // One at a time: a slow scan does not delay others while a thread is free.
  const scans = threadPool({ init: reading, threads: scanThreads, maxBatch: 1, operationTimeoutMs });
  const close = async () => {
    // The writing thread closes last: this removes the write-ahead log.
    await Promise.all([lookups.close(), scans.close()]);
    await writer.close();
  };
  try {
    // The threads of scans start with the first scan: each takes about 12 MB.
    await writer.open();
    await lookups.open();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async read<Result>(statement: Statement<Result>) {
      const [rows] = await lookups.run([statement]);
      return rows as unknown as readonly Result[];
    },
    async scan<Result>(statement: Statement<Result>) {
      const [rows] = await scans.run([statement]);
      return rows as unknown as readonly Result[];
    },
    async write<const Unit extends readonly Statement<unknown>[]>(unit: Unit) {
      // The rows have the columns of the tables that the statements were written for.
      return (await writer.run(unit)) as unknown as RowsOf<Unit>;
    },
    hasFailed: () => [writer, lookups, scans].some((pool) => pool.hasFailed()),
    close,
  };
}

/** Sends writes to a writer of another process, which opens and closes it. */
function writerOf({ run, hasFailed }: Pick<SqliteWriter, 'run' | 'hasFailed'>): ThreadPool {
  return {
    open: () => Promise.resolve(),
    async run(unit) {
      const outcome = await run(unit);
      if (outcome.type === 'done') return outcome.rows;
      throw errorOf(outcome);
    },
    hasFailed,
    close: () => Promise.resolve(),
  };
}
