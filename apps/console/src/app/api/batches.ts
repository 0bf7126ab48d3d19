import type { Batch } from '@modelwire/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { onePage, pages, whileEntryChanges, whileListChanges } from './paging.ts';

const activeStatuses: readonly string[] = ['validating', 'in_progress', 'finalizing', 'cancelling'];

/** Whether the status of a batch can still change. */
export function isActive({ status }: Pick<Batch, 'status'>): boolean {
  return activeStatuses.includes(status);
}

/** The batches, newest first. Polled while one of them runs and only the first page is shown. */
export const batchesQuery = infiniteQueryOptions({
  queryKey: ['batches'],
  ...pages,
  queryFn: ({ pageParam: after, signal }) => onePage(api.batches.list({ limit: 50, after }, { signal })),
  refetchInterval: whileListChanges(isActive, 3_000),
});

export function batchQuery(id: string) {
  return queryOptions({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => api.batches.retrieve(id, { signal }),
    refetchInterval: whileEntryChanges(isActive, 1_500),
  });
}
