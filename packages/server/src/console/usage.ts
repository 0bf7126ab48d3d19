import { parseFields } from '@modelwire/schema';
import type { Parsed, TextFields } from '@modelwire/schema';
import { addCounts } from '@modelwire/adapter-kit';
import type { DailyKey, RequestStats, UsageIncrement } from '@modelwire/ports';
import * as z from 'zod';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { nowInSeconds } from '../clock.ts';
import type { UsageGroup, UsageReport, UsageSums } from './api-types.ts';

const secondsPerDay = 86_400;
/** Maximum number of projects, keys and models in a report: those with the most requests are returned. */
const maxGroups = 100;

export const usageFilters = {
  project: z.string().min(1).max(512).optional(),
  key: z.string().min(1).max(512).optional(),
  model: z.string().min(1).max(512).optional(),
};

const usageQuerySchema = z.strictObject({
  /** Number of days to report, including today. */
  days: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'expected a number from 1 to 366')
    .refine((text) => Number(text) <= 366, 'expected a number from 1 to 366')
    .optional(),
  ...usageFilters,
});
type UsageQueryFields = z.output<typeof usageQuerySchema>;

export function parseUsageQuery(fields: TextFields): Parsed<UsageQueryFields> {
  return parseFields(usageQuerySchema, fields, { unknownFields: 'refuse' });
}

/** GET /console/api/usage: requests, errors, durations and tokens by day, project, key and model. */
export async function readConsoleUsage(
  { query }: Call<undefined, UsageQueryFields>,
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
  const rows = [...usage.map(usageRow), ...stats.map(statsRow)];
  const days = groupBy(rows, (row) => String(row.day));
  const body: UsageReport = {
    currency: server.options.prices ? server.prices.currency : null,
    days: Array.from({ length: (to - from) / secondsPerDay }, (_, index) => {
      const start = from + index * secondsPerDay;
      return { date: new Date(start * 1000).toISOString().slice(0, 10), ...toUsageSums(days.get(String(start))) };
    }),
    total: toUsageSums(sumCounts(rows)),
    by_project: topGroups(rows, (row) => row.project),
    by_key: topGroups(rows, (row) => row.keyId),
    by_model: topGroups(rows, (row) => row.model),
  };
  return { status: 200, body };
}

type UsageRow = UsageIncrement & RequestStats;
type Counts = Omit<UsageRow, keyof DailyKey>;

const zeroCounts: Counts = {
  requests: 0,
  errors: 0,
  durationMs: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costMicros: 0,
};

/** Without the number of requests: the statistics already count these requests. */
function usageRow({ requests: _, ...counts }: UsageIncrement): UsageRow {
  return { ...zeroCounts, ...counts };
}

function statsRow(stats: RequestStats): UsageRow {
  return { ...zeroCounts, ...stats };
}

function addRows(a: Counts, b: Counts): Counts {
  return {
    requests: addCounts(a.requests, b.requests),
    errors: addCounts(a.errors, b.errors),
    durationMs: addCounts(a.durationMs, b.durationMs),
    inputTokens: addCounts(a.inputTokens, b.inputTokens),
    outputTokens: addCounts(a.outputTokens, b.outputTokens),
    cachedTokens: addCounts(a.cachedTokens, b.cachedTokens),
    costMicros: addCounts(a.costMicros, b.costMicros),
  };
}

function sumCounts(rows: readonly UsageRow[]): Counts {
  return rows.reduce<Counts>(addRows, zeroCounts);
}

function groupBy(rows: readonly UsageRow[], keyOf: (row: UsageRow) => string): ReadonlyMap<string, Counts> {
  const groups = new Map<string, Counts>();
  for (const row of rows) groups.set(keyOf(row), addRows(groups.get(keyOf(row)) ?? zeroCounts, row));
  return groups;
}

function topGroups(rows: readonly UsageRow[], keyOf: (row: UsageRow) => string): readonly UsageGroup[] {
  return [...groupBy(rows, keyOf)]
    .map(([id, counts]) => ({ id, ...toUsageSums(counts) }))
    .toSorted((a, b) => b.requests - a.requests || b.output_tokens - a.output_tokens)
    .slice(0, maxGroups);
}

function toUsageSums(counts: Counts = zeroCounts): UsageSums {
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
