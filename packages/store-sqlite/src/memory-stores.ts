import { DatabaseSync } from 'node:sqlite';
import { sqlStores, sqliteBuilder } from '@modelwire/store-sql';
import type { RowsOf, SqlDatabase, SqlStoresOptions, Statement } from '@modelwire/store-sql';
import { StoreError } from '@modelwire/store-sql/migrations';
import type { Stores } from '@modelwire/ports';
import { readingRunner, writingRunner } from './threads/batch.ts';
import type { BatchRunner } from './threads/batch.ts';
import { errorOf } from './file/failure.ts';
import { migrate } from './schema/migrate.ts';
import { migrations } from './schema/migrations.ts';

/**
 * The same stores in memory, for tests: discarded when they are closed. No file, no threads, opened in about 3 ms; operations
 * run synchronously in the calling thread.
 */
export function openMemoryStores(options: Pick<SqlStoresOptions, 'clock'> = {}): Stores {
  const db = openMemory();
  return storesOver(db, () => db.close(), options);
}

export function openMemory(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  migrate(db, migrations);
  db.exec('pragma foreign_keys = on');
  return db;
}

/** `end` is called when the stores are closed. */
export function storesOver(db: DatabaseSync, onClose: () => void, options: SqlStoresOptions = {}): Stores {
  return sqlStores({
    ...options,
    database: memoryDatabase(db, onClose),
    builder: sqliteBuilder(),
    check: { sql: 'delete from keys where 0', parameters: [] },
  });
}

function memoryDatabase(db: DatabaseSync, onClose: () => void): SqlDatabase {
  let closed = false;
  const reading = readingRunner(db);
  const writing = writingRunner(db);

  function run(runner: BatchRunner, unit: readonly Statement<unknown>[]) {
    if (closed) throw new StoreError('The store is closed.', { code: 'CLOSED' });
    const [outcome] = runner([unit]);
    if (outcome?.type === 'done') return outcome.rows;
    throw outcome ? errorOf(outcome) : new StoreError('the database did not respond', { code: 'SQLITE' });
  }
  async function read<Result>(statement: Statement<Result>) {
    const [rows] = run(reading, [statement]);
    return rows as unknown as readonly Result[];
  }
  return {
    read,
    scan: read,
    async write<const Unit extends readonly Statement<unknown>[]>(unit: Unit) {
      // The rows have the columns of the tables that the statements were written for.
      return run(writing, unit) as unknown as RowsOf<Unit>;
    },
    async close() {
      if (!closed) onClose();
      closed = true;
    },
  };
}
