import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import type { Tables } from './tables.ts';
import type { StoredText } from './text.ts';

interface ProjectValues {
  readonly project: StoredText;
}

/** Bytes of the items of a response. */
const itemBytes = ({ selectFrom }: ExpressionBuilder<Tables, 'responses'>) =>
  selectFrom('response_items')
    .select(sql<number>`coalesce(sum(octet_length(response_items.body)), 0)`.as('bytes'))
    .whereRef('response_items.response', '=', 'responses.seq');

/** How many bytes a project stores. */
export function storageQueries(db: QueryBuilder) {
  const sumOf = (expression: string) =>
    sql<number>`coalesce(cast(sum(${sql.raw(expression)}) as bigint), 0)`.as('bytes');
  const projectOf = (slot: Slots<ProjectValues>) => slot('project');
  const countedBytes = (table: 'completions' | 'responses') =>
    statement((slot: Slots<ProjectValues>) =>
      db.selectFrom(table).select(sumOf('bytes')).where('project', '=', projectOf(slot)).where('bytes', 'is not', null),
    );
  return {
    files: statement((slot: Slots<ProjectValues>) =>
      db
        .selectFrom('files')
        .innerJoin('segments', (join) =>
          join.onRef('segments.owner', '=', 'files.id').on(sql<boolean>`segments.role = 'file'`),
        )
        .select(sumOf('segments.bytes'))
        .where('files.project', '=', projectOf(slot)),
    ),
    completions: countedBytes('completions'),
    /** Completions that a server of an earlier version stored, which did not count their bytes. */
    unmeasuredCompletions: statement((slot: Slots<ProjectValues>) =>
      db
        .selectFrom('completions')
        .select(sumOf('octet_length(body) + octet_length(messages)'))
        .where('project', '=', projectOf(slot))
        .where('bytes', 'is', null),
    ),
    responses: countedBytes('responses'),
    /** Responses that a server of an earlier version stored, which did not count their bytes. */
    unmeasuredResponses: statement((slot: Slots<ProjectValues>) =>
      db
        .selectFrom('responses')
        .select((eb) =>
          sql<number>`coalesce(cast(sum(octet_length(responses.body) + ${itemBytes(eb)}) as bigint), 0)`.as('bytes'),
        )
        .where('project', '=', projectOf(slot))
        .where('bytes', 'is', null),
    ),
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
