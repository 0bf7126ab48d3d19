import { createSemaphore } from '@modelwire/adapter-kit';
import type { Stores } from '@modelwire/ports';
import { removeEndedResults } from './batches/batches.ts';
import { expiredReservations } from './budgets/budget-queries.ts';
import type { SqlDatabase } from './database/database.ts';
import { expiredFiles } from './files/files.ts';
import type { QueryBuilder } from './query/query-builder.ts';
import type { RecordKey } from './query/record-key.ts';
import { responseQueries } from './responses/response-queries.ts';
import { deleteOldest } from './query/rows.ts';
import type { Statement } from './query/statement.ts';
import { pruneTombstonesQuery } from './query/tombstones.ts';
import { markAsFreeingSpace } from './database/transaction.ts';
import { endedUploads, expiredUploads } from './uploads/uploads.ts';
import { expiredVideos } from './videos/videos.ts';
import { deleteOldDeliveries, removeDeletedWebhooks } from './webhooks/webhook-queries.ts';

/** How long bytes outlive an expired record, so that running reads can finish. */
const bytesRetentionMs = 600_000;
/** How long deliveries of webhooks are kept. */
const deliveryRetentionSeconds = 30 * 86_400;
/** How long the requests of a minute are counted on their own. */
const minuteRetentionSeconds = 2 * 86_400;
/** How many records are removed concurrently. */
const concurrency = 16;

/** Records with bytes. Each is removed in its own transaction. */
interface Expiring {
  /** `now` is in Unix seconds. */
  old(init: { readonly now: number; readonly limit: number }): Statement<RecordKey>;
  /** Resolves to false when the record no longer exists or has not expired. */
  remove(key: RecordKey, dueAfterMs: number): Promise<boolean>;
}

/** Creates `removeExpired`, which also runs `tidy`. */
export function removeExpiredRecords(
  database: SqlDatabase,
  db: QueryBuilder,
  tidy: Statement<unknown> | undefined,
): Stores['removeExpired'] {
  const removeCompletions = deleteOldest(db, 'completions', { key: 'seq', time: 'created_at' });
  const removeRequests = deleteOldest(db, 'request_log', { key: 'seq', time: 'created_at' });
  const removeSessions = deleteOldest(db, 'console_sessions', { key: 'token_hash', time: 'expires_at' });
  const removeKeys = deleteOldest(db, 'idempotency_keys', {
    key: 'digest',
    time: 'expires_at_ms',
    isByDatabaseClock: true,
  });
  const removeStreams = deleteOldest(db, 'event_streams', {
    key: 'seq',
    time: 'expires_at_ms',
    isByDatabaseClock: true,
  });
  const removeReservations = expiredReservations(db);
  const removeDeliveries = deleteOldDeliveries(db);
  const removeMinutes = deleteOldest(db, 'request_minutes', { key: 'minute', time: 'minute' });
  const pruneTombstones = pruneTombstonesQuery(db);
  const responses = responseQueries(db);
  const removeResults = removeEndedResults(database, db);
  const removeWebhooks = removeDeletedWebhooks(database, db);
  const withBytes: readonly Expiring[] = [
    expiredFiles(database, db),
    expiredUploads(database, db),
    ...(['completed', 'cancelled', 'expired'] as const).map((status) => endedUploads(database, db, status)),
    expiredVideos(database, db),
  ];
  const runUncounted = async (query: Statement<unknown>): Promise<number> => {
    await database.write([query]);
    return 0;
  };
  const rowsOf = async (query: Statement<unknown>): Promise<number> =>
    (await database.write([markAsFreeingSpace(query)]))[0].length;

  return async ({ completionsBefore, responsesBefore, requestsBefore, now, limit }) => {
    const seconds = Math.floor(now / 1000);
    let removed = 0;
    let failure: { readonly error: unknown } | undefined;
    /** Runs each step separately, so that one that fails does not block the others. */
    async function attempt(work: () => Promise<number>): Promise<void> {
      try {
        // Not `removed += await work()`: that would read `removed` before concurrent steps add to it.
        const count = await work();
        removed += count;
      } catch (error) {
        failure ??= { error };
      }
    }
    /** Each record is counted by its own step. */
    async function removeWithBytes({ old, remove }: Expiring): Promise<number> {
      const found = await database.read(old({ now: seconds, limit }));
      const semaphore = createSemaphore(concurrency);
      const removeOne = async (key: RecordKey) => Number(await remove(key, bytesRetentionMs));
      await Promise.all(found.map((key) => semaphore.run(() => attempt(() => removeOne(key)))));
      return 0;
    }

    await attempt(() => rowsOf(removeKeys({ limit })));
    await attempt(() => rowsOf(removeStreams({ limit })));
    await attempt(() => runUncounted(removeReservations({ limit })));
    if (tidy) await attempt(() => runUncounted(tidy));
    for (const expiring of withBytes) await attempt(() => removeWithBytes(expiring));
    await attempt(() => removeResults(limit));
    await attempt(() => removeWebhooks(limit));
    await attempt(() => rowsOf(pruneTombstones({ now: seconds, limit })));
    await attempt(() => rowsOf(removeSessions({ before: seconds + 1, limit })));
    await attempt(() => rowsOf(removeDeliveries({ before: seconds - deliveryRetentionSeconds, limit })));
    await attempt(() => rowsOf(removeMinutes({ before: seconds - minuteRetentionSeconds, limit })));
    if (completionsBefore !== undefined)
      await attempt(() => rowsOf(removeCompletions({ before: completionsBefore, limit })));
    if (requestsBefore !== undefined) await attempt(() => rowsOf(removeRequests({ before: requestsBefore, limit })));
    if (responsesBefore !== undefined) {
      await attempt(async () => {
        const count = await rowsOf(responses.deleteExpired({ before: responsesBefore, limit }));
        await database.write([responses.deleteEmptyThreads({ before: responsesBefore, limit })]);
        return count;
      });
    }
    if (failure) throw failure.error;
    return removed;
  };
}
