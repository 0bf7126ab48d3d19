import { sql } from 'kysely';
import type { ExpressionBuilder, RawBuilder } from 'kysely';
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

/**
 * The bytes that a project stores: those of its counters, and those of records that a server of an earlier version stored without counting them,
 * of which few are left once `measureRecords` has run.
 */
function storedBytes(db: QueryBuilder, slot: Slots<ProjectValues>): RawBuilder<number> {
  const sum = (expression: RawBuilder<unknown>) =>
    sql<number>`coalesce(cast(sum(${expression}) as bigint), 0)`.as('bytes');
  const counted = db
    .selectFrom('modelwire_storage_counters')
    .select(sum(sql.ref('bytes')))
    .where('project', '=', slot('project'));
  const completions = db
    .selectFrom('completions')
    .select(sum(sql`octet_length(body) + octet_length(messages)`))
    .where('project', '=', slot('project'))
    .where('bytes', 'is', null);
  const responses = db
    .selectFrom('responses')
    .select((eb) => sum(sql`octet_length(responses.body) + ${itemBytes(eb)}`))
    .where('project', '=', slot('project'))
    .where('bytes', 'is', null);
  return sql<number>`${counted} + ${completions} + ${responses}`;
}

/** How many bytes a project stores. */
export const storedBytesQuery = (db: QueryBuilder) =>
  statement((slot: Slots<ProjectValues>) => db.selectNoFrom(storedBytes(db, slot).as('bytes')));

/** Adds the check of a storage limit to the statements of a write; without a limit, returns them as they are. */
export type WithinStorageLimit = (
  project: StoredText,
  limit: StorageLimit | undefined,
  unit: readonly Statement<unknown>[],
) => readonly Statement<unknown>[];

/**
 * The writes of a project with a limit lock its row one after the other, each until it is committed, and check the sum with their own bytes.
 * PostgreSQL takes a snapshot for each statement, so the sum includes every write that held the lock before.
 */
export function storageLimitStatements(db: QueryBuilder): WithinStorageLimit {
  const lock = statement((slot: Slots<ProjectValues>) =>
    db.selectFrom('projects').select('id').where('id', '=', slot('project')).forUpdate(),
  );
  const isWithinLimit = statement((slot: Slots<ProjectValues & { readonly maxProjectBytes: number }>) =>
    db
      .selectFrom('projects')
      .select('id')
      .where('id', '=', slot('project'))
      .where(sql<boolean>`${storedBytes(db, slot)} <= cast(${slot('maxProjectBytes')} as bigint)`),
  );
  return (project, limit, unit) => {
    const maxProjectBytes = limit?.maxProjectBytes;
    if (maxProjectBytes === undefined) return unit;
    return [
      ...unit,
      // Locked last, so that it is held briefly, and a write that holds it waits for no other lock.
      { ...lock({ project }), contendedLock: project },
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
