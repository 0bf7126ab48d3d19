import type { Clock } from '@modelwire/ports';
import type { SqlDatabase } from './database/database.ts';
import { eventStreamQueries } from './event-streams/event-stream-queries.ts';
import { insertFileStatements } from './files/insert-file.ts';
import { jobStatements } from './jobs/jobs.ts';
import { consumeReservations } from './files/ledger.ts';
import type { QueryBuilder } from './query/query-builder.ts';
import { storageLimitStatements } from './files/storage.ts';
import { endEvent, publishStatements } from './webhooks/webhook-queries.ts';

/** The database, and the statements that several stores add to their transactions, compiled once. */
export function storeContext(
  database: SqlDatabase,
  db: QueryBuilder,
  { clock, canSearch }: { readonly clock: Pick<Clock, 'now'>; readonly canSearch: boolean },
) {
  const publish = publishStatements(db);
  return {
    database,
    db,
    /** Whether the words of completions are stored. */
    canSearch,
    jobs: jobStatements(db),
    eventStreams: eventStreamQueries(db),
    consume: consumeReservations(db),
    insertFile: insertFileStatements(db),
    publish,
    /** Publishes that a record has ended. */
    publishEnd: (kind: Parameters<typeof endEvent>[0], record: Parameters<typeof endEvent>[1], project: string) =>
      publish(endEvent(kind, record, { project, created: Math.floor(clock.now() / 1000) })),
    withinLimit: storageLimitStatements(db),
  };
}

export type StoreContext = ReturnType<typeof storeContext>;

export type PerProject<Store> = (project: string) => Store;
