import type { SqlDatabase } from './database.ts';
import { insertFileStatements } from './insert-file.ts';
import { jobStatements } from './jobs.ts';
import { consumeReservations } from './ledger.ts';
import type { QueryBuilder } from './query-builder.ts';
import { storageLimitStatements } from './storage.ts';
import { publishStatements } from './webhook-queries.ts';

/** The database, and the statements that several stores add to their transactions, compiled once. */
export const storeContext = (database: SqlDatabase, db: QueryBuilder) => ({
  database,
  db,
  jobs: jobStatements(db),
  consume: consumeReservations(db),
  insertFile: insertFileStatements(db),
  publish: publishStatements(db),
  withinLimit: storageLimitStatements(db),
});

export type StoreContext = ReturnType<typeof storeContext>;

export type PerProject<Store> = (project: string) => Store;
