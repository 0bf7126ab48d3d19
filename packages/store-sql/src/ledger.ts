import type { BlobLedger } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from './database.ts';
import { inGroups } from './groups.ts';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { expectRows, markAsFreeingSpace, reservationHeld } from './transaction.ts';

interface Keys {
  readonly keys: readonly string[];
}

export function blobLedger(database: SqlDatabase, db: QueryBuilder): BlobLedger {
  const queries = ledgerQueries(db);
  return {
    async reserve(key, ttlMs) {
      await database.write([queries.reserve({ key, ttlMs })]);
    },
    async release(key) {
      await database.write([markAsFreeingSpace(queries.release({ key }))]);
    },
    async due({ withinMs = 0, limit }) {
      // Marked first: from now on no record can refer to them.
      const [, rows] = await database.write([
        markAsFreeingSpace(queries.mark({ withinMs, limit })),
        queries.due({ withinMs, limit }),
      ]);
      return rows.map(({ key }) => key);
    },
    async postpone(keys, afterMs) {
      if (keys.length > 0)
        await database.write(
          inGroups(keys).map((group) => markAsFreeingSpace(queries.postpone({ keys: group, afterMs }))),
        );
    },
    async forget(keys) {
      if (keys.length > 0)
        await database.write(inGroups(keys).map((group) => markAsFreeingSpace(queries.forget({ keys: group }))));
    },
  };
}

/** Statements that consume the reservations of these keys and roll back if one was lost. */
export function consumeReservations(db: QueryBuilder): (keys: readonly string[]) => Statement<unknown>[] {
  const consume = statement(
    (slot: Slots<Keys>, { keys }) =>
      db.deleteFrom('ledger').where('key', 'in', keysOf(slot, keys)).where('going', '=', 0).returning('key'),
    ({ keys }) => String(keys.length),
  );
  return (keys) => inGroups(keys).map((group) => expectRows(group.length, reservationHeld, consume({ keys: group })));
}

function keysOf(slot: Slots<Keys>, keys: readonly string[]): string[] {
  return keys.map((_, index) => slot((values) => values.keys[index] ?? ''));
}

function ledgerQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  return {
    reserve: statement((slot: Slots<{ readonly key: string; readonly ttlMs: number }>) =>
      db.insertInto('ledger').values({ key: slot('key'), due: sql<number>`${clock} + ${slot('ttlMs')}`, going: 0 }),
    ),
    release: statement((slot: Slots<{ readonly key: string }>) => {
      const key = slot('key');
      return db.updateTable('ledger').set({ due: clock }).where('key', '=', key).where('due', '>', clock);
    }),
    mark: statement((slot: Slots<{ readonly withinMs: number; readonly limit: number }>) => {
      const dueBefore = sql<number>`${clock} + ${slot('withinMs')}`;
      const limit = slot('limit');
      return db
        .updateTable('ledger')
        .set({ going: 1 })
        .where('key', 'in', (eb) =>
          eb
            .selectFrom('ledger as old')
            .select('old.key')
            .where('old.due', '<=', dueBefore)
            .orderBy('old.due')
            .orderBy('old.key')
            .limit(limit),
        )
        .where('going', '=', 0);
    }),
    due: statement((slot: Slots<{ readonly withinMs: number; readonly limit: number }>) => {
      const dueBefore = sql<number>`${clock} + ${slot('withinMs')}`;
      const limit = slot('limit');
      return (
        db
          .selectFrom('ledger')
          .select('key')
          .where('due', '<=', dueBefore)
          // A literal, so that the partial index is used.
          .where(sql<boolean>`going = 1`)
          .orderBy('due')
          .orderBy('key')
          .limit(limit)
      );
    }),
    postpone: statement(
      (slot: Slots<Keys & { readonly afterMs: number }>, { keys }) =>
        db
          .updateTable('ledger')
          .set({ due: sql<number>`${clock} + ${slot('afterMs')}` })
          .where(
            'key',
            'in',
            keys.map((_, index) => slot((v) => v.keys[index] ?? '')),
          )
          .where('going', '=', 1),
      ({ keys }) => String(keys.length),
    ),
    forget: statement(
      (slot: Slots<Keys>, { keys }) => db.deleteFrom('ledger').where('key', 'in', keysOf(slot, keys)),
      ({ keys }) => String(keys.length),
    ),
  };
}
