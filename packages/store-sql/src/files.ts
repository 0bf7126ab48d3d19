import type { FileObject } from '@modelwire/schema/types';
import type { FileQuery, FileStore } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from './database.ts';
import { cursorStatement } from './tombstones.ts';
import { pageOf, unexpiredPage } from './pages.ts';
import type { UnexpiredPageValues } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { segmentOf, segmentQueries } from './segments.ts';
import type { PerProject, StoreContext } from './store-context.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { expectRows, markAsFreeingSpace, transaction } from './transaction.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';

/** Creates the stores of files, one per project. */
export function fileStores({ database, db, consume, insertFile, withinLimit }: StoreContext): PerProject<FileStore> {
  const queries = fileQueries(db);
  const remove = removeStatements(db);

  return (name) => {
    const project = toStored(name);
    return {
      async create(record, limit) {
        const { content } = record;
        const unit = [...consume(content.map(({ key }) => key)), ...insertFile(project, record)];
        await transaction(database, withinLimit(project, limit, unit));
      },
      async list({ after, limit, order, purpose, now }: FileQuery) {
        const [cursor] =
          after === undefined ? [] : await database.read(queries.cursor({ id: toStored(after), project }));
        if (after !== undefined && !cursor) return undefined;
        const rows = await database.scan(
          queries.page({
            project,
            purpose: purpose === undefined ? undefined : toStored(purpose),
            now,
            cursor,
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
          content: rows.flatMap((row) => segmentOf(row) ?? []),
        };
      },
      async delete(id, dueAfterMs) {
        return (await transaction(database, remove({ id: toStored(id), project }, dueAfterMs))) !== undefined;
      },
    };
  };
}

/** the file exists */
export function expiredFiles(database: SqlDatabase, db: QueryBuilder) {
  const remove = removeStatements(db);
  const old = statement((slot: Slots<{ readonly now: number; readonly limit: number }>) =>
    db
      .selectFrom('files')
      .select(['id', 'project'])
      .where('expires', '<=', slot('now'))
      .orderBy('expires')
      .limit(slot('limit')),
  );
  return {
    old,
    remove: async (recordKey: RecordKey, dueAfterMs: number) => transaction(database, remove(recordKey, dueAfterMs)),
  };
}

/** Statements that delete a file and schedule the deletion of its bytes. They roll back if the file does not exist. */
function removeStatements(db: QueryBuilder): (recordKey: RecordKey, dueAfterMs: number) => Statement<unknown>[] {
  const segments = segmentQueries(db);
  const remove = statement((slot: Slots<RecordKey>) => db.deleteFrom('files').where(matchesKey(slot)).returning('seq'));
  return (recordKey, dueAfterMs) => [
    // First, so that of two concurrent deletions the second one waits here and finds nothing.
    markAsFreeingSpace(expectRows(1, 'the file exists', remove(recordKey))),
    ...segments.remove({ owner: recordKey.id, role: 'file', dueAfterMs }),
  ];
}

interface ListValues extends UnexpiredPageValues {
  readonly purpose: StoredText | undefined;
}

function fileQueries(db: QueryBuilder) {
  return {
    /** One row per segment, at least one, with the body in the first. A single statement, because the file could be deleted between two. */
    get: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom('files')
        .leftJoin('segments', (join) =>
          join.onRef('segments.owner', '=', 'files.id').on(sql<boolean>`segments.role = 'file'`),
        )
        .select(['files.media_type', 'segments.key', 'segments.bytes', 'segments.sha256'])
        .select(sql<string | null>`case when coalesce(segments.place, 0) = 0 then files.body end`.as('body'))
        .where(matchesKey(slot))
        .orderBy('segments.place'),
    ),
    cursor: cursorStatement(db, 'files'),
    page: statement(
      (slot: Slots<ListValues>, values) => {
        const page = unexpiredPage(db, 'files', slot, values);
        if (values.purpose === undefined) return page;
        return page.where(
          'purpose',
          '=',
          slot(({ purpose }) => purpose ?? toStored('')),
        );
      },
      ({ purpose, cursor, order }) => `${order} ${purpose === undefined ? '' : 'purpose'} ${cursor ? 'after' : ''}`,
    ),
  };
}

function fileOf({ body }: { readonly body: string }): FileObject {
  // Written by `insert`.
  return JSON.parse(body) as FileObject;
}
