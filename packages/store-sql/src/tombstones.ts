import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import type { TombstoneList } from './tables.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';

/** How long a list can continue after a deleted record: clients that delete what they list, page by page, take minutes. */
const tombstoneRetentionSeconds = 86_400;

/** The position of a record in its list, also of a deleted one. */
export function cursorStatement(db: QueryBuilder, list: 'completions' | 'files' | 'videos') {
  return statement((slot: Slots<RecordKey>) =>
    db
      .selectFrom(list)
      .select(['created', 'seq'])
      .where(matchesKey(slot))
      .unionAll(tombstoneCursor(db, slot, list)),
  );
}

/** The cursor of a deleted record. */
export function tombstoneCursor(db: QueryBuilder, slot: Slots<RecordKey>, list: TombstoneList) {
  return db.selectFrom('tombstones').select(['created', 'seq']).where('list', '=', list).where(matchesKey(slot));
}

/** Deletes expired tombstones: the `limit` oldest, and all others of the same second. */
export function pruneTombstonesQuery(db: QueryBuilder) {
  const query = statement((slot: Slots<{ readonly before: number; readonly limit: number }>) => {
    const oldest = db
      .selectFrom('tombstones')
      .select('deleted')
      .where('deleted', '<', slot('before'))
      .orderBy('deleted')
      .limit(slot('limit'));
    // A range of one index: with single lookups PostgreSQL may scan the whole table.
    return db
      .deleteFrom('tombstones')
      .where(
        'deleted',
        '<=',
        db.selectFrom(oldest.as('oldest')).select(({ fn }) => fn.max('oldest.deleted').as('deleted')),
      )
      .returning('deleted');
  });
  return ({ now, limit }: { readonly now: number; readonly limit: number }) =>
    query({ before: now - tombstoneRetentionSeconds, limit });
}
