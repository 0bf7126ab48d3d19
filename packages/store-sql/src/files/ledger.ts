import type { BlobLedger } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import { inGroups } from '../query/groups.ts';
import { databaseClock } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { slotList, statement } from '../query/statement.ts';
import type { Slots, Statement } from '../query/statement.ts';
import { expectRows, markAsFreeingSpace, reservationHeld } from '../database/transaction.ts';

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
      return rows.map(({ blob_key }) => blob_key);
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
    async isEmpty() {
      const [row] = await database.read(queries.hasBytes({}));
      return !row?.hasBytes;
    },
  };
}

/** Statements that consume the reservations of these keys and roll back if one was lost. */
export function consumeReservations(db: QueryBuilder): (keys: readonly string[]) => Statement<unknown>[] {
  const consume = statement(
    (slot: Slots<Keys>, example) =>
      db
        .deleteFrom('blob_ledger')
        .where('blob_key', 'in', slotList(slot, example, 'keys'))
        .where('is_deleting', '=', 0)
        .returning('blob_key'),
    shapeOf,
  );
  return (keys) => inGroups(keys).map((group) => expectRows(group.length, reservationHeld, consume({ keys: group })));
}

const shapeOf = ({ keys }: Keys): string => String(keys.length);

function ledgerQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  return {
    reserve: statement((slot: Slots<{ readonly key: string; readonly ttlMs: number }>) =>
      db
        .insertInto('blob_ledger')
        .values({ blob_key: slot('key'), due_at_ms: sql<number>`${clock} + ${slot('ttlMs')}`, is_deleting: 0 }),
    ),
    release: statement((slot: Slots<{ readonly key: string }>) => {
      const key = slot('key');
      return db
        .updateTable('blob_ledger')
        .set({ due_at_ms: clock })
        .where('blob_key', '=', key)
        .where('due_at_ms', '>', clock);
    }),
    mark: statement((slot: Slots<{ readonly withinMs: number; readonly limit: number }>) => {
      const dueBefore = sql<number>`${clock} + ${slot('withinMs')}`;
      const limit = slot('limit');
      return db
        .updateTable('blob_ledger')
        .set({ is_deleting: 1 })
        .where('blob_key', 'in', (eb) =>
          eb
            .selectFrom('blob_ledger as old')
            .select('old.blob_key')
            .where('old.due_at_ms', '<=', dueBefore)
            .orderBy('old.due_at_ms')
            .orderBy('old.blob_key')
            .limit(limit),
        )
        .where('is_deleting', '=', 0);
    }),
    due: statement((slot: Slots<{ readonly withinMs: number; readonly limit: number }>) => {
      const dueBefore = sql<number>`${clock} + ${slot('withinMs')}`;
      const limit = slot('limit');
      return db
        .selectFrom('blob_ledger')
        .select('blob_key')
        .where('due_at_ms', '<=', dueBefore)
        .where('is_deleting', '=', 1)
        .orderBy('due_at_ms')
        .orderBy('blob_key')
        .limit(limit);
    }),
    postpone: statement(
      (slot: Slots<Keys & { readonly afterMs: number }>, example) =>
        db
          .updateTable('blob_ledger')
          .set({ due_at_ms: sql<number>`${clock} + ${slot('afterMs')}` })
          .where('blob_key', 'in', slotList(slot, example, 'keys'))
          .where('is_deleting', '=', 1),
      shapeOf,
    ),
    // Not the rows of segments, which belong to files and videos: where those were deleted by hand, nothing knows the bytes.
    hasBytes: statement(() =>
      db.selectNoFrom(({ or, exists, selectFrom }) =>
        or([
          exists(selectFrom('blob_ledger').select('blob_key')),
          exists(selectFrom('files').select('id')),
          exists(selectFrom('videos').select('id')),
          exists(selectFrom('upload_parts').select('upload_id')),
        ]).as('hasBytes'),
      ),
    ),
    forget: statement(
      (slot: Slots<Keys>, example) =>
        db.deleteFrom('blob_ledger').where('blob_key', 'in', slotList(slot, example, 'keys')),
      shapeOf,
    ),
  };
}
