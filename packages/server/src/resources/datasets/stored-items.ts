import { isStorageUnavailable } from '@modelwire/ports';
import type { CompletionRecord, CompletionStore } from '@modelwire/ports';
import type { DatasetFilter } from '@modelwire/schema/types';
import { queryTimeout } from '../../errors.ts';
import { itemOf, rerunKey } from './dataset-item.ts';
import type { DatasetItem } from './dataset-item.ts';

/** Target length of the completions of one page, in UTF-16 code units, and the limits of their number. */
const targetLength = 512 * 1024;
const firstLimit = 16;
const maxLimit = 256;

/** Stored completions, oldest first, a page in memory at a time. */
export async function* storedItems(
  completions: CompletionStore,
  { model, metadata, start_time: createdFrom, end_time: createdBefore }: DatasetFilter,
): AsyncGenerator<DatasetItem> {
  const query = { model, metadata, createdFrom, createdBefore, order: 'asc' } as const;
  let after: string | undefined;
  let limit = firstLimit;
  for (;;) {
    const page = await completions.listRecords({ ...query, after, limit }).catch((error: unknown) => {
      if (!isStorageUnavailable(error) || !error.outage.isSlowQuery) throw error;
      throw queryTimeout('filter', 'Narrow the filter.', error);
    });
    if (!page) throw new Error('the completions were deleted while they were read');
    const items = page.items.filter((record) => metadata !== undefined || !isRerun(record)).map(itemOf);
    yield* items;
    if (!page.hasMore) return;
    after = page.items.at(-1)?.completion.id;
    const length = page.items.reduce((sum, record) => sum + lengthOf(record), 1);
    limit = Math.max(1, Math.min(maxLimit, Math.floor((targetLength * page.items.length) / length)));
  }
}

function isRerun({ completion: { metadata } }: CompletionRecord): boolean {
  return Object.hasOwn(metadata, rerunKey);
}

function lengthOf({ messages }: CompletionRecord): number {
  return JSON.stringify(messages).length;
}
