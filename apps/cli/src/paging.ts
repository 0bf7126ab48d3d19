import { listPages } from '@modelwire/core';
import type { Page, Paged, RequestOptions, Route, Transport } from '@modelwire/core';
import type { Flags, Values } from './command.ts';

/** Options of paginated lists. */
export const listFlags = {
  limit: { type: 'integer', short: 'n', value: 'n', min: 1, description: 'Maximum number of items (default: 20)' },
  all: { type: 'boolean', description: 'List all items' },
  after: { type: 'string', value: 'id', description: 'Start after this item' },
} as const satisfies Flags;

export const orderFlag = {
  order: { type: 'string', choices: ['asc', 'desc'], description: 'Sort by creation time' },
} as const satisfies Flags;

type ListValues = Values<typeof listFlags>;

/** Query of a page. The page size is the number of items to print, up to the maximum of the servers. */
export function pageQuery({ limit, all, after, order }: ListValues & { readonly order?: 'asc' | 'desc' | undefined }) {
  return {
    limit: Math.min(100, all ? 100 : (limit ?? 20)),
    ...(after !== undefined && { after }),
    ...(order && { order }),
  };
}

/** The requested number of items, page by page. Requests no page that is not needed. */
export async function* take<P extends Page>(
  list: Paged<P>,
  { limit, all }: ListValues,
): AsyncGenerator<P['data'], void, undefined> {
  let remaining = all ? Infinity : (limit ?? 20);
  for await (const { data } of list.pages()) {
    yield data.slice(0, remaining);
    remaining -= data.length;
    if (remaining <= 0) return;
  }
}

/** The requested number of items of a list on the server, page by page. */
export function listItems<P extends Page>(
  transport: Transport,
  route: Route,
  flags: ListValues,
  options: Pick<RequestOptions, 'params' | 'query' | 'signal'>,
): AsyncGenerator<P['data'], void, undefined> {
  const query = { ...pageQuery(flags), ...options.query, after: flags.after };
  return take(listPages<P>(transport, route, query, options), flags);
}
