import type { BlobSegment } from '@modelwire/ports';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { databaseClock } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { insertRows } from '../query/rows.ts';
import type { SegmentRole } from '../schema/record-tables.ts';
import { statement } from '../query/statement.ts';
import type { Slots, Statement } from '../query/statement.ts';
import type { StoredText } from '../query/text.ts';

interface Owned {
  readonly owner_id: StoredText;
  readonly role: SegmentRole;
}

interface SegmentRow {
  readonly blob_key: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
}

export const segmentColumns = ['blob_key', 'bytes', 'sha256'] as const;

/** The segment of a row; undefined for a record without segments. */
export function segmentOf({ blob_key: key, bytes, sha256 }: SegmentRow): BlobSegment | undefined {
  return key === null || bytes === null ? undefined : { key, bytes, ...(sha256 !== null && { sha256 }) };
}

/** The columns of a segment. */
export function segmentRow({ key, bytes, sha256 }: BlobSegment) {
  return { blob_key: key, bytes, sha256: sha256 ?? null };
}

/**
 * Creates the statements that remove rows of contents and schedule the deletion of their bytes in `dueAfterMs` milliseconds. `which`: the
 * condition on the rows.
 */
export function removeContents<Values extends object>(
  db: QueryBuilder,
  table: 'segments' | 'upload_parts',
  which: (slot: Slots<Values>) => RawBuilder<boolean>,
): (values: Values & { readonly dueAfterMs: number }) => Statement<unknown>[] {
  const enqueueDeletion = statement((slot: Slots<Values & { readonly dueAfterMs: number }>) => {
    const due = sql<number>`${databaseClock(db)} + ${slot(({ dueAfterMs }) => dueAfterMs)}`;
    return db
      .insertInto('blob_ledger')
      .columns(['blob_key', 'due_at_ms', 'is_deleting'])
      .expression((eb) =>
        eb
          .selectFrom(table)
          .select(['blob_key', due.as('due_at_ms'), eb.lit(0).as('is_deleting')])
          .where(which(slot)),
      );
  });
  const remove = statement((slot: Slots<Values>) => db.deleteFrom(table).where(which(slot)));
  return (values) => [enqueueDeletion(values), remove(values)];
}

/** Statements for the segments of a record. They do not check the project: use them in one transaction with the record's own. */
export function segmentStatements(db: QueryBuilder) {
  const insert = insertRows(db, 'segments');
  return {
    insert: (owned: Owned, content: readonly BlobSegment[]) =>
      insert(content.map((segment, position) => ({ ...owned, position, ...segmentRow(segment) }))),
    remove: removeContents(
      db,
      'segments',
      (slot: Slots<Owned>) => sql<boolean>`owner_id = ${slot('owner_id')} and role = ${slot('role')}`,
    ),
  };
}
