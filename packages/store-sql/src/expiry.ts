import type { Stores } from '@modelwire/ports';
import { removingResults } from './batches.ts';
import type { SqlDatabase } from './database.ts';
import { forgettingDeparted } from './departed.ts';
import { expiredFiles } from './files.ts';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { endedUploads, expiredUploads } from './uploads.ts';
import { expiredVideos } from './videos.ts';
import { freeing } from './unit.ts';
import type { Which } from './which.ts';

/** Milliseconds that bytes outlast a record that expired, so that running reads end. */
const bytesLingerMs = 600_000;
/** How many are removed at the same time. */
const together = 16;

/** Records that have bytes: each goes in a commit of its own, with its bytes. */
interface Expiring {
  /** `now` is in Unix seconds. */
  old(init: { readonly now: number; readonly limit: number }): Statement<Which>;
  /** Undefined when somebody else did it, or it is no longer so. */
  remove(which: Which, dueAfterMs: number): Promise<unknown>;
}

/** `tidy` is run too. */
export function removingExpired(
  database: SqlDatabase,
  db: QueryBuilder,
  tidy: Statement<unknown> | undefined,
): Stores['removeExpired'] {
  const queries = expiredQueries(db);
  const removeResults = removingResults(database, db);
  const forgetDeparted = forgettingDeparted(db);
  const withBytes: readonly Expiring[] = [
    expiredFiles(database, db),
    expiredUploads(database, db),
    ...(['completed', 'cancelled', 'expired'] as const).map((status) => endedUploads(database, db, status)),
    expiredVideos(database, db),
  ];
  const rowsOf = async (one: Statement<unknown>): Promise<number> => (await database.write([freeing(one)]))[0].length;

  return async ({ completionsBefore: before, now, limit }) => {
    const seconds = Math.floor(now / 1000);
    let removed = 0;
    let failure: { readonly error: unknown } | undefined;
    /** Each apart: one that fails holds none of the others up, today or for ever. */
    async function attempt(work: () => Promise<number>): Promise<void> {
      try {
        // Not in one: what several do at once would be added to what was there before them.
        const count = await work();
        removed += count;
      } catch (error) {
        failure ??= { error };
      }
    }

    await attempt(() => rowsOf(queries.idempotency({ limit })));
    if (tidy) {
      await attempt(async () => {
        await database.write([tidy]);
        return 0;
      });
    }
    for (const { old, remove } of withBytes) {
      await attempt(async () => {
        const found = await database.scan(old({ now: seconds, limit }));
        for (let from = 0; from < found.length; from += together) {
          const some = found.slice(from, from + together);
          await Promise.all(
            some.map((which) => attempt(async () => Number((await remove(which, bytesLingerMs)) !== undefined))),
          );
        }
        return 0;
      });
    }
    await attempt(() => removeResults(limit));
    await attempt(() => rowsOf(forgetDeparted({ now: seconds, limit })));
    if (before !== undefined) await attempt(() => rowsOf(queries.completions({ before, limit })));
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
            .where(
              'old.created',
              '<',
              slot(({ before }) => before),
            )
            .orderBy('old.created')
            .limit(slot(({ limit }) => limit)),
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
            .limit(slot(({ limit }) => limit)),
        )
        .returning('slot'),
    ),
  };
}
