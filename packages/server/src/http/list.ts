import { PAGE_LIMIT_DEFAULT } from '@modelwire/schema';
import type { Page } from '@modelwire/ports';
import type { List } from '@modelwire/schema/types';
import { invalid } from '../errors.ts';
import type { JsonReply } from './reply.ts';

type Order = 'asc' | 'desc';

/** The part of a list that a query asks for. */
export function pageQuery(
  { after, limit = PAGE_LIMIT_DEFAULT, order }: { after?: string; limit?: number; order?: Order },
  defaultOrder: Order,
) {
  return { after, limit, order: order ?? defaultOrder };
}

/** The reply of a list endpoint; a 400 without a page, because the item in `after` does not exist. */
export function listReply<Item extends { readonly id: string }>(
  page: Page<Item> | undefined,
  after: string | undefined,
): JsonReply<List<Item>> {
  return { status: 200, body: listOf(page ?? unknownAfter(after)) };
}

/** The response body of a list endpoint. */
export function listOf<Item extends { readonly id: string }>({ items, hasMore }: Page<Item>): List<Item> {
  return {
    object: 'list',
    data: items,
    first_id: items[0]?.id ?? null,
    last_id: items.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** The item in `after` does not exist. */
export function unknownAfter(after: string | undefined): never {
  throw invalid('after', `Invalid value for 'after': there is no item with the ID '${(after ?? '').slice(0, 100)}'.`);
}
