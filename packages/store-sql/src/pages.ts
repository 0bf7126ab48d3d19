import type { Page } from '@modelwire/ports';
import { sql } from 'kysely';
import type { Slots } from './statement.ts';

/** Where a record stands in the page order. */
export interface Place {
  readonly created: number;
  readonly seq: number;
}

export interface PageValues {
  readonly place: Place | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Of a table in page order: the rows behind a place. */
export function behind(slot: Slots<PageValues>, order: 'asc' | 'desc') {
  const created = slot(({ place }) => place?.created ?? 0);
  const seq = slot(({ place }) => place?.seq ?? 0);
  return sql<boolean>`(created, seq) ${sql.raw(order === 'asc' ? '>' : '<')} (${created}, ${seq})`;
}

/** Of `limit + 1` rows, if there are as many. */
export function pageOf<Item>(rows: readonly Item[], limit: number): Page<Item> {
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
