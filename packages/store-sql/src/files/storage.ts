import { sql } from 'kysely';
import type { StorageLimit } from '@modelwire/ports';
import { asBigint } from '../query/casts.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { statement } from '../query/statement.ts';
import type { Slots, Statement } from '../query/statement.ts';
import type { StoredText } from '../query/text.ts';
import { expectRows, withinStorageLimit } from '../database/transaction.ts';

interface ProjectValues {
  readonly project: StoredText;
}

/** How many bytes a project stores: the sum of its counters, which triggers maintain. */
const storedBytes = (db: QueryBuilder, slot: Slots<ProjectValues>) =>
  db
    .selectFrom('modelwire_storage_counters')
    .select(sql<number>`coalesce(cast(sum(bytes) as bigint), 0)`.as('bytes'))
    .where('project_id', '=', slot('project'));

export const storedBytesQuery = (db: QueryBuilder) => statement((slot: Slots<ProjectValues>) => storedBytes(db, slot));

/**
 * Adds the check of a storage limit to the statements of a write; without a limit, returns them as they are.
 *
 * The writes of a project with a limit lock its row one after the other, each until it is committed, and check the sum with their own bytes.
 * PostgreSQL takes a snapshot for each statement, so the sum includes every write that held the lock before.
 */
export function storageLimitStatements(db: QueryBuilder) {
  const select = (slot: Slots<ProjectValues>) =>
    db.selectFrom('projects').select('id').where('id', '=', slot('project'));
  const lock = statement((slot: Slots<ProjectValues>) => select(slot).forUpdate());
  const isWithinLimit = statement((slot: Slots<ProjectValues & { readonly maxProjectBytes: number }>) =>
    select(slot).where(sql<boolean>`${storedBytes(db, slot)} <= ${asBigint(slot('maxProjectBytes'))}`),
  );
  return (
    project: StoredText,
    limit: StorageLimit | undefined,
    unit: readonly Statement<unknown>[],
  ): readonly Statement<unknown>[] => {
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
