import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { consoleApi } from './client.ts';

/** Filters of the usage report, as they are in the address. */
export interface UsageFilters {
  readonly days: number;
  readonly project: string;
  readonly key: string;
  readonly model: string;
}

export interface UsageSums {
  readonly requests: number;
  readonly errors: number;
  /** Null without requests. */
  readonly mean_duration_ms: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
}

export interface UsageDay extends UsageSums {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
}

export interface UsageGroup extends UsageSums {
  readonly id: string;
}

export interface UsageReport {
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
