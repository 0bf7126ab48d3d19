import type { Stores } from '@modelwire/ports';
import { removeEndedResults } from './batches.ts';
import { expiredReservations } from './budget-queries.ts';
import type { SqlDatabase } from './database.ts';
import { pruneTombstonesQuery } from './tombstones.ts';
import { expiredFiles } from './files.ts';
import { expiredResponses } from './responses.ts';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { deleteExpiredSessions } from './sessions.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { endedUploads, expiredUploads } from './uploads.ts';
import { expiredVideos } from './videos.ts';
import { markAsFreeingSpace } from './transaction.ts';
import { measureRecords } from './storage.ts';
import { deleteOldDeliveries, removeDeletedWebhooks } from './webhook-queries.ts';
import type { RecordKey } from './record-key.ts';

/** How long bytes outlive an expired record, so that running reads can finish. */
const bytesRetentionMs = 600_000;
/** How long deliveries of webhooks are kept. */
const deliveryRetentionSeconds = 30 * 86_400;
/** How many records are removed concurrently. */
const concurrency = 16;

/** Records with bytes. Each is removed in its own transaction. */
interface Expiring {
  /** `now` is in Unix seconds. */
  old(init: { readonly now: number; readonly limit: number }): Statement<RecordKey>;
  /** Resolves to undefined when the record no longer exists or has not expired. */
  remove(recordKey: RecordKey, dueAfterMs: number): Promise<unknown>;
}

/** Creates `removeExpired`, which also runs `tidy`. */
export function removeExpiredRecords(
  database: SqlDatabase,
  db: QueryBuilder,
  tidy: Statement<unknown> | undefined,
): Stores['removeExpired'] {
  const queries = expiredQueries(db);
  const responses = expiredResponses(db);
  const removeResults = removeEndedResults(database, db);
  const deleteSessions = deleteExpiredSessions(db);
  const removeReservations = expiredReservations(db);
  const removeDeliveries = deleteOldDeliveries(db);
  const removeWebhooks = removeDeletedWebhooks(database, db);
  const measure = measureRecords(db);
  const pruneTombstones = pruneTombstonesQuery(db);
  const withBytes: readonly Expiring[] = [
    expiredFiles(database, db),
    expiredUploads(database, db),
    ...(['completed', 'cancelled', 'expired'] as const).map((status) => endedUploads(database, db, status)),
    expiredVideos(database, db),
  ];
  const rowsOf = async (query: Statement<unknown>): Promise<number> =>
    (await database.write([markAsFreeingSpace(query)]))[0].length;

  return async ({ completionsBefore: before, responsesBefore, now, limit }) => {
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

    await attempt(() => rowsOf(queries.idempotency({ limit })));
    await attempt(async () => {
      await database.write([removeReservations({ limit })]);
      return 0;
    });
    if (tidy) {
      await attempt(async () => {
        await database.write([tidy]);
        return 0;
      });
    }
    for (const { old, remove } of withBytes) {
      await attempt(async () => {
        const found = await database.read(old({ now: seconds, limit }));
        for (let from = 0; from < found.length; from += concurrency) {
          const group = found.slice(from, from + concurrency);
          await Promise.all(
            group.map((recordKey) =>
              attempt(async () => Number((await remove(recordKey, bytesRetentionMs)) !== undefined)),
            ),
          );
        }
        return 0;
      });
    }
    await attempt(() => removeResults(limit));
    await attempt(() => removeWebhooks(limit));
    for (const measureBytes of [measure.completions, measure.responses]) {
      await attempt(async () => (await database.write([measureBytes({ limit })]))[0].length);
    }
    await attempt(() => rowsOf(pruneTombstones({ now: seconds, limit })));
    await attempt(() => rowsOf(deleteSessions({ now: seconds, limit })));
    await attempt(() => rowsOf(removeDeliveries({ before: seconds - deliveryRetentionSeconds, limit })));
    if (before !== undefined) await attempt(() => rowsOf(queries.completions({ before, limit })));
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

function expiredQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  return {
    completions: statement((slot: Slots<{ readonly before: number; readonly limit: number }>) =>
      db
        .deleteFrom('completions')
        .where('seq', 'in', (eb) =>
          eb
            .selectFrom('completions as old')
            .select('old.seq')
            .where('old.created', '<', slot('before'))
            .orderBy('old.created')
            .limit(slot('limit')),
        )
        .returning('seq'),
    ),
    idempotency: statement((slot: Slots<{ readonly limit: number }>) =>
      db
        .deleteFrom('idempotency')
        .where('slot', 'in', (eb) =>
          eb
            .selectFrom('idempotency as old')
            .select('old.slot')
            .where('old.until', '<=', clock)
            .orderBy('old.until')
            .limit(slot('limit')),
        )
        .returning('slot'),
    ),
  };
}
