import type { ActivityReport, RecentErrorList, UsageReport } from '@modelwire/server/internal';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { consoleApi } from './client.ts';

/** Filters of the usage report, as the URL contains them. */
export interface UsageFilters {
  readonly days: number;
  readonly project: string;
  readonly key: string;
  readonly model: string;
}

export function usageQuery({ days, project, key, model }: UsageFilters) {
  return queryOptions({
    queryKey: ['usage', { days, project, key, model }],
    queryFn: ({ signal }) =>
      consoleApi.request<UsageReport>(
        { method: 'GET', path: '/usage' },
        {
          signal,
          query: { days, project: project || undefined, key: key || undefined, model: model || undefined },
        },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}

/** What the server did in the last 1, 6 or 24 hours. */
export function activityQuery(hours: 1 | 6 | 24, { project, model }: Pick<UsageFilters, 'project' | 'model'>) {
  return queryOptions({
    queryKey: ['activity', hours, { project, model }],
    queryFn: ({ signal }) =>
      consoleApi.request<ActivityReport>(
        { method: 'GET', path: '/activity' },
        { signal, query: { hours, project: project || undefined, model: model || undefined } },
      ),
    placeholderData: keepPreviousData,
    // Longer periods have longer steps, and more to sum.
    refetchInterval: hours === 1 ? 10_000 : 60_000,
  });
}

/** The currency of the price table in lower case; null if there is no price table. */
export const currencyQuery = queryOptions({
  queryKey: ['currency'],
  queryFn: async ({ signal }) =>
    (await consoleApi.request<UsageReport>({ method: 'GET', path: '/usage' }, { signal, query: { days: 1 } })).currency,
  staleTime: Infinity,
});

/** The failed requests that the server still has in memory, newest first. */
export function errorsQuery({ project, key, model }: Omit<UsageFilters, 'days'>) {
  return queryOptions({
    queryKey: ['errors', { project, key, model }],
    queryFn: ({ signal }) =>
      consoleApi.request<RecentErrorList>(
        { method: 'GET', path: '/errors' },
        {
          signal,
          query: { project: project || undefined, key: key || undefined, model: model || undefined },
        },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
}
