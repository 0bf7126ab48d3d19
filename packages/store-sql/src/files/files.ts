import type { FileObject } from '@modelwire/schema/types';
import type { FileStore } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import { cursorQuery, isUnexpired, pageQuery, pageShape, readPage } from '../query/pages.ts';
import type { PageValues } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { keysIn, matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { deleteRecord, selectExpired } from '../query/rows.ts';
import { segmentColumns, segmentOf, segmentStatements } from './segments.ts';
import { statement } from '../query/statement.ts';
import type { Slots, Statement } from '../query/statement.ts';
import type { PerProject, StoreContext } from '../store-context.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { commit, expectRows, markAsFreeingSpace } from '../database/transaction.ts';

/** Creates the stores of files, one per project. */
export function fileStores({ database, db, consume, insertFile, withinLimit }: StoreContext): PerProject<FileStore> {
  const queries = fileQueries(db);
  const remove = removeStatements(db);

  return (name) => {
    const project_id = toStored(name);
    const keyOf = keysIn(name);
    return {
      async create(record, limit) {
        const unit = [...consume(record.content.map(({ key }) => key)), ...insertFile(project_id, record)];
        await commit(database, withinLimit(project_id, limit, unit));
      },
      list({ purpose, now, ...query }) {
        const filter = { project_id, now, purpose: purpose === undefined ? undefined : toStored(purpose) };
        const page = (values: Pick<PageValues, 'cursor' | 'order' | 'limit'>) => queries.page({ ...filter, ...values });
        return readPage(database, query, { keyOf, cursor: queries.cursor, page, itemOf: fileOf });
      },
      async get(id) {
        const rows = await database.read(queries.get(keyOf(id)));
        const [first] = rows;
        if (first?.body == null) return undefined;
        return {
          file: fileOf({ body: first.body }),
          mediaType: first.media_type === null ? undefined : fromStored(first.media_type),
          content: rows.flatMap((row) => segmentOf(row) ?? []),
        };
      },
      delete: (id, dueAfterMs) => commit(database, remove(keyOf(id), dueAfterMs)),
    };
  };
}

/** Removes expired files of all projects, oldest first. */
export function expiredFiles(database: SqlDatabase, db: QueryBuilder) {
  const remove = removeStatements(db);
  return {
    old: selectExpired(db, 'files'),
    remove: (key: RecordKey, dueAfterMs: number) => commit(database, remove(key, dueAfterMs)),
  };
}

/** Statements that delete a file and schedule the deletion of its bytes. They roll back if the file does not exist. */
function removeStatements(db: QueryBuilder): (key: RecordKey, dueAfterMs: number) => Statement<unknown>[] {
  const segments = segmentStatements(db);
  const remove = deleteRecord(db, 'files');
  return (key, dueAfterMs) => [
    // First, so that of two concurrent deletions the second one waits here and finds nothing.
    markAsFreeingSpace(expectRows(1, 'the file exists', remove(key))),
    ...segments.remove({ owner_id: key.id, role: 'file', dueAfterMs }),
  ];
}

interface FilePageValues extends PageValues {
  readonly purpose: StoredText | undefined;
  readonly now: number;
}

function fileQueries(db: QueryBuilder) {
  return {
    /** One row per segment, at least one, with the body in the first. A single statement, because the file could be deleted between two. */
    get: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom('files')
        .leftJoin('segments', (join) =>
          join.onRef('segments.owner_id', '=', 'files.id').on(sql<boolean>`segments.role = 'file'`),
        )
        .select(['files.media_type', ...segmentColumns])
        .select(sql<string | null>`case when coalesce(segments.position, 0) = 0 then files.body end`.as('body'))
        .where(matchesKey(slot))
        .orderBy('segments.position'),
    ),
    cursor: cursorQuery(db, 'files'),
    page: statement(
      (slot: Slots<FilePageValues>, example) => {
        const page = pageQuery(db, 'files', slot, example).where(isUnexpired(slot));
        const purpose = slot((values) => values.purpose ?? toStored(''));
        return example.purpose === undefined ? page : page.where('purpose', '=', purpose);
      },
      ({ purpose, ...range }) => `${pageShape(range)} ${purpose === undefined ? '' : 'purpose'}`,
    ),
  };
}

function fileOf({ body }: { readonly body: string }): FileObject {
  // Written by `insert`.
  return JSON.parse(body) as FileObject;
}
