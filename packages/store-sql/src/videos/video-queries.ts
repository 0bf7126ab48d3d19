import { sql } from 'kysely';
import { cursorQuery, isUnexpired, pageQuery, pageShape } from '../query/pages.ts';
import type { PageValues } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { insertRow, selectExpired } from '../query/rows.ts';
import { segmentColumns } from '../files/segments.ts';
import { statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import type { StoredText } from '../query/text.ts';

interface MutableColumns {
  readonly expires_at: number | null;
  readonly body: string;
}

export function videoQueries(db: QueryBuilder) {
  const update = (slot: Slots<RecordKey>) => db.updateTable('videos').where(matchesKey(slot));

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

    update: statement((slot: Slots<RecordKey & MutableColumns>) =>
      update(slot)
        .set((eb) => ({ version: eb('version', '+', 1), expires_at: slot('expires_at'), body: slot('body') }))
        .returning('seq'),
    ),

    saveCheckpoint: statement((slot: Slots<RecordKey & { readonly checkpoint: StoredText }>) =>
      update(slot).set({ checkpoint: slot('checkpoint') }),
    ),

    setMediaTypes: statement((slot: Slots<RecordKey & { readonly media_types: string }>) =>
      update(slot).set({ media_types: slot('media_types') }),
    ),

    delete: statement((slot: Slots<RecordKey>) => db.deleteFrom('videos').where(matchesKey(slot)).returning('seq')),

    old: selectExpired(db, 'videos'),
  };
}
