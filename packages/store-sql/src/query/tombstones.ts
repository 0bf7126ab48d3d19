import type { QueryBuilder } from './query-builder.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';
import type { TombstoneList } from '../schema/record-tables.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';

/** How long a list can continue after a deleted record: clients that delete what they list, page by page, take minutes. */
const tombstoneRetentionSeconds = 86_400;

/** The cursor of a deleted record. */
export function tombstoneCursor(db: QueryBuilder, slot: Slots<RecordKey>, list: TombstoneList) {
  return db.selectFrom('tombstones').select(['created_at', 'seq']).where('list', '=', list).where(matchesKey(slot));
}

/** Deletes expired tombstones: the `limit` oldest, and all others of the same second. */
export function pruneTombstonesQuery(db: QueryBuilder) {
  const query = statement((slot: Slots<{ readonly before: number; readonly limit: number }>) => {
    const oldest = db
      .selectFrom('tombstones')
      .select('deleted_at')
      .where('deleted_at', '<', slot('before'))
      .orderBy('deleted_at')
      .limit(slot('limit'));
    // A range of one index: with single lookups PostgreSQL may scan the whole table.
    return db
      .deleteFrom('tombstones')
      .where(
        'deleted_at',
        '<=',
        db.selectFrom(oldest.as('oldest')).select(({ fn }) => fn.max('oldest.deleted_at').as('deleted_at')),
      )
      .returning('deleted_at');
  });
  return ({ now, limit }: { readonly now: number; readonly limit: number }) =>
    query({ before: now - tombstoneRetentionSeconds, limit });
}
