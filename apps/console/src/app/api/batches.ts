import type { Batch } from '@modelwire/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { fetchPage, cursorPagination, pollEntryWhile, pollListWhile } from './paging.ts';

const activeStatuses: readonly string[] = ['validating', 'in_progress', 'finalizing', 'cancelling'];

/** Whether the status of a batch can still change. */
export function isBatchActive({ status }: Pick<Batch, 'status'>): boolean {
  return activeStatuses.includes(status);
}

/** Whether a batch was started by a line of another one, to which it gives results. */
export const isStartedBy =
  (id: string) =>
  ({ metadata }: Pick<Batch, 'metadata'>): boolean =>
    metadata?.['modelwire_started_by'] === id;

/** The batches, newest first. Polled while one of them runs and only the first page is shown. */
export const batchesQuery = infiniteQueryOptions({
  queryKey: ['batches'],
  ...cursorPagination,
  queryFn: ({ pageParam: after, signal }) => fetchPage(api.batches.list({ limit: 50, after }, { signal })),
  refetchInterval: pollListWhile(isBatchActive, 3_000),
});

export function batchQuery(id: string) {
  return queryOptions({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => api.batches.retrieve(id, { signal }),
    refetchInterval: pollEntryWhile(isBatchActive, 1_500),
  });
}
