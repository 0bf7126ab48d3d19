import type { Command } from '@commander-js/extra-typings';
import type { Page, Paged } from '@modelwire/core';
import { choice, positiveInteger } from './option-values.ts';
import { subcommand } from './subcommand.ts';
import type { Examples } from './subcommand.ts';

interface ListOptions {
  readonly limit?: number;
  readonly all?: boolean;
  readonly after?: string;
}

/** A command that prints a list, with the options of paginated lists. */
export function listCommand(group: Command, summary: string, examples: Examples, name = 'list') {
  return subcommand(group, name, summary, examples)
    .option('-n, --limit <n>', 'Maximum number of items (default: 20)', positiveInteger)
    .option('--all', 'List all items')
    .option('--after <id>', 'Start after this item');
}

export const orderOption = () => choice('--order <order>', 'Sort by creation time', ['asc', 'desc']);

/** Query of a page. The page size is the number of items to print, up to the maximum of the servers. */
export function pageQuery({ limit = 20, all = false, after }: ListOptions) {
  return { limit: all ? 100 : Math.min(100, limit), after };
}

/** The requested number of items, page by page. Requests no page that is not needed. */
export async function* take<P extends Page>(
  list: Paged<P>,
  { limit = 20, all = false }: ListOptions,
): AsyncGenerator<P['data'], void, undefined> {
  let remaining = all ? Infinity : limit;
  for await (const { data } of list.pages()) {
    yield data.slice(0, remaining);
    remaining -= data.length;
    if (remaining <= 0) return;
  }
}
