import type { DailyKey, DurationQuery, DurationSum, RequestStatsQuery } from '@modelwire/ports';
import * as z from 'zod';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { nowInSeconds } from '../clock.ts';
import { createDurationCounts } from '../limits/duration-counts.ts';
import { sumBy } from '../limits/usage-sums.ts';
import type { UsageCounts } from '../limits/usage-sums.ts';
import type { UsageGroup, UsageReport, UsageSums } from './api-types.ts';
import { percentilesOf } from './percentiles.ts';

const secondsPerDay = 86_400;
/** Maximum number of projects, keys and models in a report: those with the most requests are returned. */
const maxGroups = 100;

export const usageFilters = {
  project: z.string().min(1).max(512).optional(),
  key: z.string().min(1).max(512).optional(),
  model: z.string().min(1).max(512).optional(),
};

export const usageQuerySchema = z.strictObject({
  /** Number of days to report, including today. */
  days: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'expected a number from 1 to 366')
    .refine((text) => Number(text) <= 366, 'expected a number from 1 to 366')
    .optional(),
  ...usageFilters,
});

/** GET /console/api/usage: requests, errors, percentiles of durations and tokens by day, project, key and model. */
export async function readConsoleUsage(
  { query }: Call<undefined, z.output<typeof usageQuerySchema>>,
  server: ServerContext,
): Promise<Reply> {
  const { stores } = server.options;
  await server.meter.flush();
  const to = Math.floor(nowInSeconds(server.clock) / secondsPerDay) * secondsPerDay + secondsPerDay;
  const from = to - Number(query.days ?? 30) * secondsPerDay;
  const { project, key: keyId, model } = query;
  const range: RequestStatsQuery = { from, to, project, keyId, model };
  const readDurations = (by: DurationQuery['by']) => stores?.requestStats?.readDurations({ ...range, by }) ?? [];
  const [usage, stats, ofDays, ofProjects, ofKeys, ofModels] = await Promise.all([
    stores?.usage.read({
      from,
      to,
      projects: project === undefined ? undefined : [project],
      keyIds: keyId === undefined ? undefined : [keyId],
      models: model === undefined ? undefined : [model],
    }) ?? [],
    stores?.requestStats?.read(range) ?? [],
    readDurations('day'),
    readDurations('project'),
    readDurations('keyId'),
    readDurations('model'),
  ]);
  const rows: readonly UsageRow[] = [
    // The statistics already count the requests.
    ...usage.map((row) => ({ ...zeroCounts, ...row, requests: 0 })),
    ...stats.map((row) => ({ ...zeroCounts, ...row })),
  ];
  const days = new Map(sumBy(rows, ({ day }) => day).map(({ group: day, sum }) => [day, sum]));
  const durationsOfDays = groupDurations(ofDays);
  const body: UsageReport = {
    currency: server.options.prices ? server.prices.currency : null,
    days: Array.from({ length: (to - from) / secondsPerDay }, (_, index) => {
      const start = from + index * secondsPerDay;
      return {
        date: new Date(start * 1000).toISOString().slice(0, 10),
        ...toUsageSums(days.get(start), durationsOfDays.get(start)),
      };
    }),
    total: toUsageSums(sumBy(rows, () => 'all')[0]?.sum, ofDays),
    by_project: topGroups(rows, (row) => row.project, ofProjects),
    by_key: topGroups(rows, (row) => row.keyId, ofKeys),
    by_model: topGroups(rows, (row) => row.model, ofModels),
  };
  return { status: 200, body };
}

/** A row of usage or of statistics, with all counts. */
type UsageRow = UsageCounts & DailyKey;

export const zeroCounts: UsageCounts = {
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costMicros: 0,
};

function topGroups(
  rows: readonly UsageRow[],
  idOf: (row: UsageRow) => string,
  durations: readonly DurationSum[],
): readonly UsageGroup[] {
  const durationsOf = groupDurations(durations);
  return sumBy(rows, idOf)
    .map(({ group: id, sum }) => ({ id, ...toUsageSums(sum, durationsOf.get(id)) }))
    .toSorted((a, b) => b.requests - a.requests || b.output_tokens - a.output_tokens)
    .slice(0, maxGroups);
}

/** The sums of each group. */
function groupDurations(sums: readonly DurationSum[]): ReadonlyMap<number | string, readonly DurationSum[]> {
  return Map.groupBy(sums, ({ group }) => group);
}

/** @param durations Their sums by range. */
export function toUsageSums(
  counts: UsageCounts = zeroCounts,
  durations: readonly Omit<DurationSum, 'group'>[] = [],
): UsageSums {
  const [requests, firstTokens] = [createDurationCounts(), createDurationCounts()];
  for (const sum of durations) {
    requests.addRange(sum.range, sum.requests);
    firstTokens.addRange(sum.range, sum.firstTokens);
  }
  return {
    requests: counts.requests,
    errors: counts.errors,
    input_tokens: counts.inputTokens,
    output_tokens: counts.outputTokens,
    cached_tokens: counts.cachedTokens,
    cost: counts.costMicros / 1e6,
    duration_ms: percentilesOf(requests),
    first_token_ms: percentilesOf(firstTokens),
  };
}
