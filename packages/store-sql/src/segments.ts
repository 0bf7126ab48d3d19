import type { BlobSegment } from '@modelwire/ports';
import { sql } from 'kysely';
import { inGroups } from './groups.ts';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import type { SegmentRole } from './tables.ts';
import type { StoredText } from './text.ts';

interface Owned {
  readonly owner: StoredText;
  readonly role: SegmentRole;
}

interface PlacedSegment extends BlobSegment {
  readonly place: number;
}

/** The segment of a row; undefined for a record without segments. */
export function segmentOf({
  key,
  bytes,
  sha256,
}: {
  readonly key: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
}): BlobSegment | undefined {
  return key === null || bytes === null ? undefined : { key, bytes, ...(sha256 !== null && { sha256 }) };
}

export interface SegmentQueries {
  insert(owned: Owned, content: readonly BlobSegment[]): Statement<unknown>[];
  /** Removes the segments and schedules the deletion of their bytes in `dueAfterMs` milliseconds. */
  remove(init: Owned & { readonly dueAfterMs: number }): Statement<unknown>[];
}

/** Statements for the segments of a record. They do not check the project: use them in one transaction with the record's own. */
export function segmentQueries(db: QueryBuilder): SegmentQueries {
  const clock = databaseClock(db);
  const insert = statement(
    (slot: Slots<Owned & { readonly segments: readonly PlacedSegment[] }>, { segments }) =>
      db.insertInto('segments').values(
        segments.map((_, index) => ({
          owner: slot('owner'),
          role: slot('role'),
          place: slot((v) => v.segments[index]?.place ?? 0),
          key: slot((v) => v.segments[index]?.key ?? ''),
          bytes: slot((v) => v.segments[index]?.bytes ?? 0),
          sha256: slot((v) => v.segments[index]?.sha256 ?? null),
        })),
      ),
    ({ segments }) => String(segments.length),
  );
  const enqueueDeletion = statement((slot: Slots<Owned & { readonly dueAfterMs: number }>) => {
    const due = sql<number>`${clock} + ${slot('dueAfterMs')}`;
    return db
      .insertInto('ledger')
      .columns(['key', 'due', 'going'])
      .expression((eb) =>
        eb
          .selectFrom('segments')
          .select(['segments.key', due.as('due'), eb.lit(0).as('going')])
          .where('owner', '=', slot('owner'))
          .where('role', '=', slot('role')),
      );
  });
  const remove = statement((slot: Slots<Owned>) =>
    db.deleteFrom('segments').where('owner', '=', slot('owner')).where('role', '=', slot('role')),
  );
  return {
    insert(owned, content) {
      const placed = content.map((segment, place) => ({ ...segment, place }));
      return inGroups(placed).map((segments) => insert({ ...owned, segments }));
    },
    remove: (init) => [enqueueDeletion(init), remove(init)],
  };
}
