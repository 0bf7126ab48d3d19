import type { Page, PageQuery } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import type { StoredText } from './text.ts';
import { tombstoneCursor } from './tombstones.ts';

/** The position of a record in the page order. */
export interface Cursor {
  readonly created_at: number;
  readonly seq: number;
}

export interface PageValues {
  readonly project_id: StoredText;
  readonly cursor: Cursor | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A page of the items of one record, which have positions. */
export interface ItemPageValues extends RecordKey {
  /** The position after which the page starts. */
  readonly after: number;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

export const pageShape = ({ cursor, order }: Pick<PageValues, 'cursor' | 'order'>): string =>
  `${order} ${cursor ? 'after' : ''}`;

/** A page of the records of a project. */
export function pageQuery(
  db: QueryBuilder,
  table: 'batches' | 'files' | 'videos',
  slot: Slots<PageValues>,
  { cursor, order }: PageValues,
) {
  const query = db
    .selectFrom(table)
    .select('body')
    .where('project_id', '=', slot('project_id'))
    .orderBy('created_at', order)
    .orderBy('seq', order)
    .limit(slot('limit'));
  if (!cursor) return query;
  const after = slot((values) => values.cursor?.created_at ?? 0);
  const seq = slot((values) => values.cursor?.seq ?? 0);
  return query.where(sql<boolean>`(created_at, seq) ${sql.raw(order === 'asc' ? '>' : '<')} (${after}, ${seq})`);
}

/** Matches the rows that do not expire, or expire after `now`. */
export function isUnexpired(slot: Slots<{ readonly now: number }>) {
  return sql<boolean>`(expires_at is null or expires_at > ${slot('now')})`;
}

/** The position of a record in its list, also of one that was deleted recently. */
export function cursorQuery(db: QueryBuilder, list: 'completions' | 'files' | 'videos') {
  return statement((slot: Slots<RecordKey>) =>
    db
      .selectFrom(list)
      .select(['created_at', 'seq'])
      .where(matchesKey(slot))
      .unionAll(tombstoneCursor(db, slot, list)),
  );
}

/** Makes a page of at most `limit` rows. `rows`: up to `limit + 1`, so that `hasMore` is known. */
export function pageOf<Item>(rows: readonly Item[], limit: number): Page<Item> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Reads a page of records; undefined if there is no record `after`. */
export async function readPage<Row, Item>(
  database: SqlDatabase,
  { after, limit, order }: PageQuery,
  {
    keyOf,
    cursor,
    page,
    itemOf,
  }: {
    keyOf(id: string): RecordKey;
    cursor(key: RecordKey): Statement<Cursor>;
    page(values: Pick<PageValues, 'cursor' | 'order' | 'limit'>): Statement<Row>;
    itemOf(row: Row): Item;
  },
): Promise<Page<Item> | undefined> {
  const [found] = after === undefined ? [] : await database.read(cursor(keyOf(after)));
  if (after !== undefined && !found) return undefined;
  const rows = await database.scan(page({ cursor: found, order, limit: limit + 1 }));
  return pageOf(rows.map(itemOf), limit);
}

/** Reads a page of the items of a record; undefined if there is no item `after`, or no record. */
export async function readItems<Row, Item>(
  database: SqlDatabase,
  { after, limit, order }: PageQuery,
  {
    position,
    page,
    record,
    itemOf,
  }: {
    position(id: string): Statement<{ readonly position: number }>;
    page(values: Pick<ItemPageValues, 'after' | 'order' | 'limit'>): Statement<Row>;
    /** Has a row if the record exists. */
    readonly record: Statement<unknown>;
    itemOf(row: Row): Item;
  },
): Promise<Page<Item> | undefined> {
  const [found] = after === undefined ? [] : await database.read(position(after));
  if (after !== undefined && !found) return undefined;
  const from = found?.position ?? (order === 'asc' ? -1 : Number.MAX_SAFE_INTEGER);
  const rows = await database.scan(page({ after: from, limit: limit + 1, order }));
  if (rows.length === 0 && (await database.read(record)).length === 0) return undefined;
  return pageOf(rows.map(itemOf), limit);
}

/** The values of `ItemPageValues` for all items, in order. */
export const allItems = { after: -1, limit: Number.MAX_SAFE_INTEGER, order: 'asc' } as const;
