import { invalid } from '../errors.ts';
import type { Page } from '@modelwire/ports';

/** The response body of a list endpoint. */
export function listOf<Item extends { readonly id: string }>({ items, hasMore }: Page<Item>) {
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
