import type { BlobSegment } from '@modelwire/ports';
import { sql } from 'kysely';
import { databaseClock } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { insertRows } from '../query/rows.ts';
import type { SegmentRole } from '../schema/tables.ts';
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

export interface SegmentStatements {
  insert(owned: Owned, content: readonly BlobSegment[]): Statement<unknown>[];
  /** Removes the segments and schedules the deletion of their bytes in `dueAfterMs` milliseconds. */
  remove(init: Owned & { readonly dueAfterMs: number }): Statement<unknown>[];
}

/** Statements for the segments of a record. They do not check the project: use them in one transaction with the record's own. */
export function segmentStatements(db: QueryBuilder): SegmentStatements {
  const clock = databaseClock(db);
  const insert = insertRows(db, 'segments');
  const enqueueDeletion = statement((slot: Slots<Owned & { readonly dueAfterMs: number }>) => {
    const due = sql<number>`${clock} + ${slot('dueAfterMs')}`;
    return db
      .insertInto('blob_ledger')
      .columns(['blob_key', 'due_at_ms', 'is_deleting'])
      .expression((eb) =>
        eb
          .selectFrom('segments')
          .select(['segments.blob_key', due.as('due_at_ms'), eb.lit(0).as('is_deleting')])
          .where('owner_id', '=', slot('owner_id'))
          .where('role', '=', slot('role')),
      );
  });
  const remove = statement((slot: Slots<Owned>) =>
    db.deleteFrom('segments').where('owner_id', '=', slot('owner_id')).where('role', '=', slot('role')),
  );
  return {
    insert: (owned, content) =>
      insert(content.map((segment, position) => ({ ...owned, position, ...segmentRow(segment) }))),
    remove: (init) => [enqueueDeletion(init), remove(init)],
  };
}
