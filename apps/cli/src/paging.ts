import type { Page, Paged } from '@modelwire/core';
import type { Flags, Values } from './command.ts';

/** Flags of every list that comes by pages. */
export const listFlags = {
  limit: { type: 'integer', short: 'n', value: 'n', min: 1, description: 'how many at most; default 20' },
  all: { type: 'boolean', description: 'all there are' },
  after: { type: 'string', value: 'id', description: 'begin behind this one' },
} as const satisfies Flags;

export const orderFlag = {
  order: { type: 'string', choices: ['asc', 'desc'], description: 'by time: oldest or newest first' },
} as const satisfies Flags;

type ListValues = Values<typeof listFlags>;

/** The size of the pages to ask for: no larger than what is wanted, and no larger than a server gives. */
export function pageQuery({ limit, all, after }: ListValues): { readonly limit: number; readonly after?: string } {
  return { limit: Math.min(100, all ? 100 : (limit ?? 20)), ...(after !== undefined && { after }) };
}

/** As many items of a list as were asked for, page by page; no page is asked for in vain. */
export async function* take<P extends Page>(
  list: Paged<P>,
  { limit, all }: ListValues,
): AsyncGenerator<P['data'], void, undefined> {
  let left = all ? Infinity : (limit ?? 20);
  for await (const { data } of list.pages()) {
    yield data.slice(0, left);
    left -= data.length;
    if (left <= 0) return;
  }
}
