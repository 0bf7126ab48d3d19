import { sql } from 'kysely';
import { cursorStatement } from './tombstones.ts';
import { unexpiredPage } from './pages.ts';
import type { UnexpiredPageValues } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import type { StoredText } from './text.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';

interface MutableColumns {
  readonly expires: number | null;
  readonly body: string;
}

export function videoQueries(db: QueryBuilder) {
  const update = (slot: Slots<RecordKey>) => db.updateTable('videos').where(matchesKey(slot));

  return {
    insert: statement((slot: Slots<RecordKey & MutableColumns & { readonly created: number; readonly work: string }>) =>
      db.insertInto('videos').values({
        id: slot('id'),
        project: slot('project'),
        created: slot('created'),
        expires: slot('expires'),
        version: 1,
        work: slot('work'),
        memory: null,
        contents: '{}',
        body: slot('body'),
      }),
    ),

    /** Returns one row for each segment, or one without. A single statement: between two the video might be deleted. */
    get: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom('videos')
        .leftJoin('segments', (join) =>
          join.onRef('segments.owner', '=', 'videos.id').on(sql<boolean>`segments.role <> 'file'`),
        )
        .select([
          'videos.version',
          'videos.work',
          'videos.memory',
          'videos.contents',
          'videos.body',
          'segments.role',
          'segments.key',
          'segments.bytes',
          'segments.sha256',
        ])
        .where(matchesKey(slot))
        .orderBy('segments.role')
        .orderBy('segments.place'),
    ),

    cursor: cursorStatement(db, 'videos'),

    page: statement(
      (slot: Slots<UnexpiredPageValues>, values: UnexpiredPageValues) => unexpiredPage(db, 'videos', slot, values),
      ({ cursor, order }) => `${order} ${cursor ? 'after' : ''}`,
    ),

    update: statement((slot: Slots<RecordKey & MutableColumns>) =>
      update(slot)
        .set((eb) => ({
          version: eb('version', '+', 1),
          expires: slot('expires'),
          body: slot('body'),
        }))
        .returning('seq'),
    ),

    saveCheckpoint: statement((slot: Slots<RecordKey & { readonly memory: StoredText }>) =>
      update(slot).set({ memory: slot('memory') }),
    ),

    setContents: statement((slot: Slots<RecordKey & { readonly contents: string }>) =>
      update(slot).set({ contents: slot('contents') }),
    ),

    delete: statement((slot: Slots<RecordKey>) => db.deleteFrom('videos').where(matchesKey(slot)).returning('seq')),

    old: statement((slot: Slots<{ readonly now: number; readonly limit: number }>) =>
      db
        .selectFrom('videos')
        .select(['id', 'project'])
        .where('expires', '<=', slot('now'))
        .orderBy('expires')
        .limit(slot('limit')),
    ),
  };
}
