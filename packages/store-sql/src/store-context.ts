import type { SqlDatabase } from './database/database.ts';
import { insertFileStatements } from './files/insert-file.ts';
import { jobStatements } from './jobs/jobs.ts';
import { consumeReservations } from './files/ledger.ts';
import type { QueryBuilder } from './query/query-builder.ts';
import { storageLimitStatements } from './files/storage.ts';
import { publishStatements } from './webhooks/webhook-queries.ts';

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
