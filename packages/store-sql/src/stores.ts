import type { Clock, RateLimiter, StorageObserver, Stores } from '@modelwire/ports';
import { auditStore } from './keys/audit.ts';
import { batchStores } from './batches/batches.ts';
import { budgetStore } from './budgets/budgets.ts';
import { allCompletions, completionStores } from './completions/completions.ts';
import { conversationStores } from './conversations/conversations.ts';
import { requestStatsStore, usageStore } from './budgets/daily-counts.ts';
import type { SqlDatabase } from './database/database.ts';
import { eventStreamStores } from './event-streams/event-streams.ts';
import { removeExpiredRecords } from './expiry.ts';
import { fileStores } from './files/files.ts';
import { idempotencyStores } from './idempotency.ts';
import { jobStore } from './jobs/jobs.ts';
import { keyStore } from './keys/keys.ts';
import { blobLedger } from './files/ledger.ts';
import { observedDatabase } from './database/observed-database.ts';
import type { QueryBuilder } from './query/query-builder.ts';
import { requestLogStore } from './request-log.ts';
import { responseStores } from './responses/responses.ts';
import { sessionStore } from './keys/sessions.ts';
import type { Statement } from './query/statement.ts';
import { storeContext } from './store-context.ts';
import { uploadStores } from './uploads/uploads.ts';
import { videoStores } from './videos/videos.ts';
import { webhookStore } from './webhooks/webhooks.ts';

/** Options of the stores of every database. */
export interface SqlStoresOptions {
  /** Observes the operations of the database, for metrics and traces. Default: none. */
  readonly observer?: StorageObserver | undefined;
  /** The time of events, for tests. Default: that of the system. What expires does so by the clock of the database. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
  /** Whether lists of completions can be searched: the words of each are stored too. Default true. */
  readonly completionSearch?: boolean | undefined;
}

export interface SqlStoresInit extends SqlStoresOptions {
  readonly database: SqlDatabase;
  readonly builder: QueryBuilder;
  /** Checks that the database is writable, without a lasting effect. */
  readonly check: Statement<unknown>;
  readonly rateLimiter?: RateLimiter | undefined;
  /** Runs whenever expired records are removed. */
  readonly tidy?: Statement<unknown> | undefined;
}

/** Creates all stores on a database whose tables exist. */
export function sqlStores({
  database: unobserved,
  builder,
  check,
  rateLimiter,
  tidy,
  observer,
  clock = { now: () => Date.now() },
  completionSearch: canSearch = true,
}: SqlStoresInit): Stores {
  const database = observer ? observedDatabase(unobserved, observer) : unobserved;
  const context = storeContext(database, builder, { clock, canSearch });
  const completionsOf = completionStores(context);
  const responsesOf = responseStores(context);
  const conversationsOf = conversationStores(database, builder);
  const eventStreamsOf = eventStreamStores(context);
  const idempotencyOf = idempotencyStores(context);
  const filesOf = fileStores(context);
  const uploadsOf = uploadStores(context);
  const batchesOf = batchStores(context);
  const videosOf = videoStores(context);
  return {
    project: (id) => ({
      completions: completionsOf(id),
      responses: responsesOf(id),
      conversations: conversationsOf(id),
      eventStreams: eventStreamsOf(id),
      idempotency: idempotencyOf(id),
      files: filesOf(id),
      uploads: uploadsOf(id),
      batches: batchesOf(id),
      videos: videosOf(id),
    }),
    allCompletions: allCompletions(context, completionsOf),
    canSearch,
    keys: keyStore(database, builder),
    budgets: budgetStore(context),
    audit: auditStore(database, builder),
    webhooks: webhookStore(context),
    usage: usageStore(database, builder),
    requestStats: requestStatsStore(database, builder),
    requestLog: requestLogStore(database, builder),
    sessions: sessionStore(database, builder),
    jobs: jobStore(database, builder),
    ledger: blobLedger(database, builder),
    rateLimiter,
    removeExpired: removeExpiredRecords(database, builder, tidy),
    async check() {
      await database.write([check]);
    },
    hasFailed: () => database.hasFailed?.() === true,
    close: () => database.close(),
  };
}
