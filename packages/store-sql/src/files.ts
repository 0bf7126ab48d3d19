import type { FileObject } from '@modelwire/schema/types';
import type { FileQuery, FileRecord, FileStore } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from './database.ts';
import { departedPlace } from './departed.ts';
import { taking } from './ledger.ts';
import { behind, pageOf } from './pages.ts';
import type { PageValues } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { segmentQueries } from './segments.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { expecting, freeing, writeIf } from './unit.ts';
import { isOf } from './which.ts';
import type { Which } from './which.ts';

/** Makes the store of a project's files. */
export function fileStores(database: SqlDatabase, db: QueryBuilder): (project: string) => FileStore {
  const queries = fileQueries(db);
  const take = taking(db);
  const insert = inserting(db);
  const remove = removing(db);

  return (name) => {
    const project = toStored(name);
    return {
      async create(record) {
        const { content } = record;
        await writeIf(database, [...take(content.map(({ key }) => key)), ...insert(project, record)]);
      },
      async list({ after, limit, order, purpose, now }: FileQuery) {
        const [place] = after === undefined ? [] : await database.read(queries.place({ id: toStored(after), project }));
        if (after !== undefined && !place) return undefined;
        const rows = await database.scan(
          queries.page({
            project,
            purpose: purpose === undefined ? undefined : toStored(purpose),
            now,
            place,
            order,
            limit: limit + 1,
          }),
        );
        return pageOf(rows.map(fileOf), limit);
      },
      async get(id) {
        const rows = await database.read(queries.get({ id: toStored(id), project }));
        const [first] = rows;
        if (first?.body == null) return undefined;
        return {
          file: fileOf({ body: first.body }),
          mediaType: first.media_type === null ? undefined : fromStored(first.media_type),
          content: rows.flatMap(({ key, bytes }) => (key === null || bytes === null ? [] : [{ key, bytes }])),
        };
      },
      async delete(id, dueAfterMs) {
        return (await writeIf(database, remove({ id: toStored(id), project }, dueAfterMs))) !== undefined;
      },
    };
  };
}

/** Files of all projects that have expired, the oldest first. */
export function expiredFiles(database: SqlDatabase, db: QueryBuilder) {
  const remove = removing(db);
  const old = statement((slot: Slots<{ readonly now: number; readonly limit: number }>) =>
    db
      .selectFrom('files')
      .select(['id', 'project'])
      .where(
        'expires',
        '<=',
        slot((v) => v.now),
      )
      .orderBy('expires')
      .limit(slot((v) => v.limit)),
  );
  return { old, remove: async (which: Which, dueAfterMs: number) => writeIf(database, remove(which, dueAfterMs)) };
}

/** Statements that make a file, without its bytes' reservations. */
export function inserting(db: QueryBuilder): (project: StoredText, record: FileRecord) => Statement<unknown>[] {
  const segments = segmentQueries(db);
  const insert = statement((slot: Slots<{ readonly project: StoredText; readonly record: FileRecord }>) =>
    db.insertInto('files').values({
      id: slot(({ record }) => toStored(record.file.id)),
      project: slot(({ project }) => project),
      created: slot(({ record }) => record.file.created_at),
      purpose: slot(({ record }) => toStored(record.file.purpose)),
      expires: slot(({ record }) => record.file.expires_at ?? null),
      media_type: slot(({ record }) => (record.mediaType === undefined ? null : toStored(record.mediaType))),
      body: slot(({ record }) => JSON.stringify(record.file)),
    }),
  );
  return (project, record) => [
    insert({ project, record }),
    ...segments.insert({ owner: toStored(record.file.id), role: 'file' }, record.content),
  ];
}

/** Statements that remove a file and make its bytes due; undone where it is not there. */
function removing(db: QueryBuilder): (which: Which, dueAfterMs: number) => Statement<unknown>[] {
  const segments = segmentQueries(db);
  const remove = statement((slot: Slots<Which>) => db.deleteFrom('files').where(isOf(slot)).returning('seq'));
  return (which, dueAfterMs) => [
    // First: of two who remove it the second waits here, and finds nothing.
    freeing(expecting(1, 'the file is there', remove(which))),
    ...segments.letGo({ owner: which.id, role: 'file', dueAfterMs }),
  ];
}

type ListValues = PageValues & {
  readonly project: StoredText;
  readonly purpose: StoredText | undefined;
  readonly now: number;
};

function fileQueries(db: QueryBuilder) {
  return {
    /** A row for each segment, or one; the body in the first. One statement: between two the file might go, and its segments with it. */
    get: statement((slot: Slots<Which>) =>
      db
        .selectFrom('files')
        .leftJoin('segments', (join) =>
          join.onRef('segments.owner', '=', 'files.id').on(sql<boolean>`segments.role = 'file'`),
        )
        .select(['files.media_type', 'segments.key', 'segments.bytes'])
        .select(sql<string | null>`case when coalesce(segments.place, 0) = 0 then files.body end`.as('body'))
        .where(isOf(slot))
        .orderBy('segments.place'),
    ),
    place: statement((slot: Slots<Which>) =>
      db
        .selectFrom('files')
        .select(['created', 'seq'])
        .where(isOf(slot))
        .unionAll(departedPlace(db, slot, 'files')),
    ),
    page: statement(
      (slot: Slots<ListValues>, { purpose, place, order }) => {
        let query = db
          .selectFrom('files')
          .select('body')
          .where(
            'project',
            '=',
            slot((v) => v.project),
          )
          .where((eb) =>
            eb.or([
              eb('expires', 'is', null),
              eb(
                'expires',
                '>',
                slot((v) => v.now),
              ),
            ]),
          )
          .orderBy('created', order)
          .orderBy('seq', order)
          .limit(slot((v) => v.limit));
        if (purpose !== undefined)
          query = query.where(
            'purpose',
            '=',
            slot((v) => v.purpose ?? toStored('')),
          );
        return place ? query.where(behind(slot, order)) : query;
      },
      ({ purpose, place, order }) => `${order} ${purpose === undefined ? '' : 'purpose'} ${place ? 'after' : ''}`,
    ),
  };
}

function fileOf({ body }: { readonly body: string }): FileObject {
  // What `insert` wrote.
  return JSON.parse(body) as FileObject;
}
