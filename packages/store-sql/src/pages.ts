import type { Page } from '@modelwire/ports';
import { sql } from 'kysely';
import type { QueryBuilder } from './query-builder.ts';
import type { RecordKey } from './record-key.ts';
import type { Slots } from './statement.ts';
import type { StoredText } from './text.ts';

/** The position of a record in the page order. */
export interface Cursor {
  readonly created: number;
  readonly seq: number;
}

export interface PageValues {
  readonly cursor: Cursor | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A page of the items of one record, which have places. */
export interface ItemPageValues extends RecordKey {
  /** The place after which the page starts. */
  readonly after: number;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Matches the rows after the cursor. */
export function afterCursor(slot: Slots<PageValues>, order: 'asc' | 'desc') {
  const created = slot(({ cursor }) => cursor?.created ?? 0);
  const seq = slot(({ cursor }) => cursor?.seq ?? 0);
  return sql<boolean>`(created, seq) ${sql.raw(order === 'asc' ? '>' : '<')} (${created}, ${seq})`;
}

/** Matches the rows that do not expire, or expire after `now`. */
export function isUnexpired(slot: Slots<{ readonly now: number }>) {
  return sql<boolean>`(expires is null or expires > ${slot('now')})`;
}

export interface UnexpiredPageValues extends PageValues {
  readonly project: StoredText;
  readonly now: number;
}

/** A page of the records of a project that have not expired. */
export function unexpiredPage(
  db: QueryBuilder,
  table: 'files' | 'videos',
  slot: Slots<UnexpiredPageValues>,
  { cursor, order }: UnexpiredPageValues,
) {
  const query = db
    .selectFrom(table)
    .select('body')
    .where('project', '=', slot('project'))
    .where(isUnexpired(slot))
    .orderBy('created', order)
    .orderBy('seq', order)
    .limit(slot('limit'));
  return cursor ? query.where(afterCursor(slot, order)) : query;
}

/** Makes a page of at most `limit` rows. `rows`: up to `limit + 1`, so that `hasMore` is known. */
export function pageOf<Item>(rows: readonly Item[], limit: number): Page<Item> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
