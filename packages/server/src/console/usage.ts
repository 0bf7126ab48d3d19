import type { DailyKey } from '@modelwire/ports';
import * as z from 'zod';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { nowInSeconds } from '../clock.ts';
import { sumBy } from '../limits/usage-sums.ts';
import type { UsageCounts } from '../limits/usage-sums.ts';
import type { UsageGroup, UsageReport, UsageSums } from './api-types.ts';

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

/** GET /console/api/usage: requests, errors, durations and tokens by day, project, key and model. */
export async function readConsoleUsage(
  { query }: Call<undefined, z.output<typeof usageQuerySchema>>,
  server: ServerContext,
): Promise<Reply> {
  const { stores } = server.options;
  await server.meter.flush();
  const to = Math.floor(nowInSeconds(server.clock) / secondsPerDay) * secondsPerDay + secondsPerDay;
  const from = to - Number(query.days ?? 30) * secondsPerDay;
  const { project, key: keyId, model } = query;
  const [usage, stats] = await Promise.all([
    stores?.usage.read({
      from,
      to,
      projects: project === undefined ? undefined : [project],
      keyIds: keyId === undefined ? undefined : [keyId],
      models: model === undefined ? undefined : [model],
    }) ?? [],
    stores?.requestStats?.read({ from, to, project, keyId, model }) ?? [],
  ]);
  const rows: readonly UsageRow[] = [
    // The statistics already count the requests.
    ...usage.map((row) => ({ ...zeroCounts, ...row, requests: 0 })),
    ...stats.map((row) => ({ ...zeroCounts, ...row })),
  ];
  const days = new Map(sumBy(rows, ({ day }) => day).map(({ group: day, sum }) => [day, sum]));
  const body: UsageReport = {
    currency: server.options.prices ? server.prices.currency : null,
    days: Array.from({ length: (to - from) / secondsPerDay }, (_, index) => {
      const start = from + index * secondsPerDay;
      return { date: new Date(start * 1000).toISOString().slice(0, 10), ...toUsageSums(days.get(start)) };
    }),
    total: toUsageSums(sumBy(rows, () => 'all')[0]?.sum),
    by_project: topGroups(rows, (row) => row.project),
    by_key: topGroups(rows, (row) => row.keyId),
    by_model: topGroups(rows, (row) => row.model),
  };
  return { status: 200, body };
}

/** A row of usage or of statistics, with all counts. */
type UsageRow = UsageCounts & DailyKey;

const zeroCounts: UsageCounts = {
  requests: 0,
  errors: 0,
  durationMs: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costMicros: 0,
};

function topGroups(rows: readonly UsageRow[], idOf: (row: UsageRow) => string): readonly UsageGroup[] {
  return sumBy(rows, idOf)
    .map(({ group: id, sum }) => ({ id, ...toUsageSums(sum) }))
    .toSorted((a, b) => b.requests - a.requests || b.output_tokens - a.output_tokens)
    .slice(0, maxGroups);
}

function toUsageSums(counts: UsageCounts = zeroCounts): UsageSums {
  return {
    requests: counts.requests,
    errors: counts.errors,
    mean_duration_ms: counts.requests === 0 ? null : Math.round(counts.durationMs / counts.requests),
    input_tokens: counts.inputTokens,
    output_tokens: counts.outputTokens,
    cached_tokens: counts.cachedTokens,
    cost: counts.costMicros / 1e6,
  };
}
