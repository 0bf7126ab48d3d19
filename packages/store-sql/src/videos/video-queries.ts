import { sql } from 'kysely';
import type { Updateable } from 'kysely';
import { cursorQuery, isUnexpired, pageQuery, pageShape } from '../query/pages.ts';
import type { PageValues } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { deleteRecord, insertRow, selectExpired } from '../query/rows.ts';
import { segmentColumns } from '../files/segments.ts';
import type { Tables } from '../schema/tables.ts';
import { slotsOf, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';

/** The columns that a job writes. */
type Changes = Pick<Updateable<Tables['videos']>, 'expires_at' | 'body' | 'checkpoint' | 'media_types'>;

export function videoQueries(db: QueryBuilder) {
  return {
    insert: insertRow(db, 'videos'),

    /** Returns one row for each segment, or one without. A single statement: between two the video might be deleted. */
    get: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom('videos')
        .leftJoin('segments', (join) =>
          join.onRef('segments.owner_id', '=', 'videos.id').on(sql<boolean>`segments.role <> 'file'`),
        )
        .select(['videos.version', 'videos.job_input', 'videos.checkpoint', 'videos.media_types', 'videos.body'])
        .select(['segments.role', ...segmentColumns])
        .where(matchesKey(slot))
        .orderBy('segments.role')
        .orderBy('segments.position'),
    ),

    cursor: cursorQuery(db, 'videos'),

    page: statement(
      (slot: Slots<PageValues & { readonly now: number }>, example) =>
        pageQuery(db, 'videos', slot, example).where(isUnexpired(slot)),
      pageShape,
    ),

    update: statement(
      (slot: Slots<RecordKey & { readonly changes: Changes }>, { changes }) =>
        db
          .updateTable('videos')
          .set((eb) => ({ version: eb('version', '+', 1), ...slotsOf(slot, changes, (values) => values.changes) }))
          .where(matchesKey(slot))
          .returning('seq'),
      ({ changes }) => Object.keys(changes).join(),
    ),

    delete: deleteRecord(db, 'videos'),

    old: selectExpired(db, 'videos'),
  };
}
