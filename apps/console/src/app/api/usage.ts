import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { consoleApi } from './client.ts';

/** Filters of the usage report, as the URL contains them. */
export interface UsageFilters {
  readonly days: number;
  readonly project: string;
  readonly key: string;
  readonly model: string;
}

export interface UsageSums {
  readonly requests: number;
  readonly errors: number;
  /** Null if there are no requests. */
  readonly mean_duration_ms: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  /** In units of the currency of the report. */
  readonly cost: number;
}

export interface UsageDay extends UsageSums {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
}

export interface UsageGroup extends UsageSums {
  readonly id: string;
}

export interface UsageReport {
  /** Currency of the price table in lower case; null if there is no price table. */
  readonly currency: string | null;
  readonly days: readonly UsageDay[];
  readonly total: UsageSums;
  readonly by_project: readonly UsageGroup[];
  readonly by_key: readonly UsageGroup[];
  readonly by_model: readonly UsageGroup[];
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

/** The currency of the price table in lower case; null if there is no price table. */
export const currencyQuery = queryOptions({
  queryKey: ['currency'],
  queryFn: async ({ signal }) =>
    (await consoleApi.request<UsageReport>({ method: 'GET', path: '/usage' }, { signal, query: { days: 1 } })).currency,
  staleTime: Infinity,
});

/** A failed request to a model. */
export interface FailedRequest {
  readonly request_id: string;
  /** Unix seconds. */
  readonly at: number;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly project: string;
  readonly key: string;
  readonly model: string;
  readonly upstream_failure: string | null;
  readonly batch: string | null;
}

/** The failed requests that the server still has in memory, newest first. */
export function errorsQuery({ project, key, model }: Omit<UsageFilters, 'days'>) {
  return queryOptions({
    queryKey: ['errors', { project, key, model }],
    queryFn: ({ signal }) =>
      consoleApi.request<{ readonly errors: readonly FailedRequest[] }>(
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
