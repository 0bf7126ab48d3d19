import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import type { QueryBuilder } from './query-builder.ts';
import type { StorageLimit } from '@modelwire/ports';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import type { Tables } from './tables.ts';
import type { StoredText } from './text.ts';
import { expectRows, withinStorageLimit } from './transaction.ts';

interface ProjectValues {
  readonly project: StoredText;
}

/** Bytes of the items of a response. */
const itemBytes = ({ selectFrom }: ExpressionBuilder<Tables, 'responses'>) =>
  selectFrom('response_items')
    .select(sql<number>`coalesce(sum(octet_length(response_items.body)), 0)`.as('bytes'))
    .whereRef('response_items.response', '=', 'responses.seq');

/** The sums of the bytes that a project stores, by the kind of record. */
function storageSums(db: QueryBuilder) {
  const sumOf = (expression: string) =>
    sql<number>`coalesce(cast(sum(${sql.raw(expression)}) as bigint), 0)`.as('bytes');
  const projectOf = (slot: Slots<ProjectValues>) => slot('project');
  const countedBytes = (table: 'completions' | 'responses') => (slot: Slots<ProjectValues>) =>
    db.selectFrom(table).select(sumOf('bytes')).where('project', '=', projectOf(slot)).where('bytes', 'is not', null);
  return {
    files: (slot: Slots<ProjectValues>) =>
      db
        .selectFrom('files')
        .innerJoin('segments', (join) =>
          join.onRef('segments.owner', '=', 'files.id').on(sql<boolean>`segments.role = 'file'`),
        )
        .select(sumOf('segments.bytes'))
        .where('files.project', '=', projectOf(slot)),
    completions: countedBytes('completions'),
    /** Completions that a server of an earlier version stored, which did not count their bytes. */
    unmeasuredCompletions: (slot: Slots<ProjectValues>) =>
      db
        .selectFrom('completions')
        .select(sumOf('octet_length(body) + octet_length(messages)'))
        .where('project', '=', projectOf(slot))
        .where('bytes', 'is', null),
    responses: countedBytes('responses'),
    /** Responses that a server of an earlier version stored, which did not count their bytes. */
    unmeasuredResponses: (slot: Slots<ProjectValues>) =>
      db
        .selectFrom('responses')
        .select((eb) =>
          sql<number>`coalesce(cast(sum(octet_length(responses.body) + ${itemBytes(eb)}) as bigint), 0)`.as('bytes'),
        )
        .where('project', '=', projectOf(slot))
        .where('bytes', 'is', null),
  };
}

/** How many bytes a project stores. */
export function storageQueries(db: QueryBuilder) {
  const sums = storageSums(db);
  return {
    files: statement(sums.files),
    completions: statement(sums.completions),
    unmeasuredCompletions: statement(sums.unmeasuredCompletions),
    responses: statement(sums.responses),
    unmeasuredResponses: statement(sums.unmeasuredResponses),
  };
}

/** Adds the check of a storage limit to the statements of a write; without a limit, returns them as they are. */
export type WithinStorageLimit = (
  project: StoredText,
  limit: StorageLimit | undefined,
  unit: readonly Statement<unknown>[],
) => readonly Statement<unknown>[];

/**
 * The writes of a project with a limit lock its row one after the other, and each checks the sum with its own bytes. PostgreSQL takes a snapshot
 * for each statement, so the sum includes every write that held the lock before.
 */
export function storageLimitStatements(db: QueryBuilder): WithinStorageLimit {
  const sums = storageSums(db);
  const lock = statement((slot: Slots<ProjectValues>) =>
    db.selectFrom('projects').select('id').where('id', '=', slot('project')).forUpdate(),
  );
  const isWithinLimit = statement((slot: Slots<ProjectValues & { readonly maxProjectBytes: number }>) => {
    const total = sql<number>`${sums.files(slot)} + ${sums.completions(slot)} + ${sums.unmeasuredCompletions(slot)} + ${sums.responses(slot)} + ${sums.unmeasuredResponses(slot)}`;
    return db
      .selectFrom('projects')
      .select('id')
      .where('id', '=', slot('project'))
      .where(sql<boolean>`${total} <= cast(${slot('maxProjectBytes')} as bigint)`);
  });
  return (project, limit, unit) => {
    const maxProjectBytes = limit?.maxProjectBytes;
    if (maxProjectBytes === undefined) return unit;
    return [
      // First, so that no write holds another lock while it waits for this one.
      lock({ project }),
      ...unit,
      expectRows(1, withinStorageLimit, isWithinLimit({ project, maxProjectBytes })),
    ];
  };
}

interface Limit {
  readonly limit: number;
}

/** Counts the bytes of records that a server of an earlier version stored without them, up to `limit` of each kind. */
export function measureRecords(db: QueryBuilder) {
  return {
    completions: statement((slot: Slots<Limit>) =>
      db
        .updateTable('completions')
        .set({ bytes: sql<number>`octet_length(body) + octet_length(messages)` })
        .where(
          'seq',
          'in',
          db
            .selectFrom('completions')
            .select('seq')
            .where('bytes', 'is', null)
            .orderBy('seq')
            .limit(slot('limit'))
            .forUpdate()
            .skipLocked(),
        )
        .returning('seq'),
    ),
    /** Not those that run: a server of an earlier version would end them without counting their output. */
    responses: statement((slot: Slots<Limit>) =>
      db
        .updateTable('responses')
        .set((eb) => ({ bytes: sql<number>`octet_length(body) + ${itemBytes(eb)}` }))
        .where(
          'seq',
          'in',
          db
            .selectFrom('responses')
            .select('seq')
            .where('bytes', 'is', null)
            .where('work', 'is', null)
            .orderBy('seq')
            .limit(slot('limit'))
            .forUpdate()
            .skipLocked(),
        )
        .returning('seq'),
    ),
  };
}
