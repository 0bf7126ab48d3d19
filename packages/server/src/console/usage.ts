import { parseFields } from '@modelwire/schema';
import type { Parsed, TextFields } from '@modelwire/schema';
import type { RequestStats, UsageIncrement } from '@modelwire/ports';
import * as z from 'zod';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { nowInSeconds } from '../clock.ts';

const day = 86_400;
/** Maximum number of groups of each kind: those with the most requests are returned. */
const maxGroups = 100;

const usageQuerySchema = z.strictObject({
  /** Days to report, today included. */
  days: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'expected a number from 1 to 366')
    .refine((text) => Number(text) <= 366, 'expected a number from 1 to 366')
    .optional(),
  project: z.string().min(1).max(512).optional(),
  key: z.string().min(1).max(512).optional(),
  model: z.string().min(1).max(512).optional(),
});
export type UsageQueryFields = z.output<typeof usageQuerySchema>;

interface UsageSums {
  /** Requests that ended, successful or not. */
  readonly requests: number;
  readonly errors: number;
  /** Mean duration of a request, with its whole stream; null without requests. */
  readonly mean_duration_ms: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  /** In units of the currency, by the price table at that time. */
  readonly cost: number;
}

interface Report {
  /** Of the price table, in lower case; null without one. */
  readonly currency: string | null;
  /** Every day, the oldest first, also those without requests. */
  readonly days: readonly (UsageSums & { readonly date: string })[];
  readonly total: UsageSums;
  readonly by_project: readonly (UsageSums & { readonly id: string })[];
  readonly by_key: readonly (UsageSums & { readonly id: string })[];
  readonly by_model: readonly (UsageSums & { readonly id: string })[];
}

export function parseUsageQuery(fields: TextFields): Parsed<UsageQueryFields> {
  return parseFields(usageQuerySchema, fields, { unknownFields: 'refuse' });
}

/** GET /console/api/usage: requests, errors, durations and tokens by day, project, key and model. */
export async function readConsoleUsage(
  { query }: Call<undefined, UsageQueryFields>,
  server: ServerContext,
): Promise<Reply> {
  const { stores } = server.options;
  await Promise.all([server.meter?.flush(), server.requestCounter?.flush()]);
  const to = Math.floor(nowInSeconds() / day) * day + day;
  const from = to - Number(query.days ?? 30) * day;
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
  const rows = [...usage.map(ofUsage), ...stats.map(ofStats)];
  const days = groupBy(rows, (row) => String(row.day));
  const body: Report = {
    currency: server.prices?.currency ?? null,
    days: Array.from({ length: (to - from) / day }, (_, index) => {
      const start = from + index * day;
      return { date: new Date(start * 1000).toISOString().slice(0, 10), ...sumsOf(days.get(String(start))) };
    }),
    total: sumsOf(sum(rows)),
    by_project: groups(rows, (row) => row.project),
    by_key: groups(rows, (row) => row.keyId),
    by_model: groups(rows, (row) => row.model),
  };
  return { status: 200, body };
}

interface Counts {
  readonly requests: number;
  readonly errors: number;
  readonly durationMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly costMicros: number;
}

type Row = Counts & Pick<RequestStats, 'day' | 'project' | 'keyId' | 'model'>;

const nothing: Counts = {
  requests: 0,
  errors: 0,
  durationMs: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costMicros: 0,
};

/** Its requests are a subset of those in the statistics, so they are not added again. */
function ofUsage({ requests: _, ...used }: UsageIncrement): Row {
  return { ...nothing, ...used };
}

function ofStats(stats: RequestStats): Row {
  return { ...nothing, ...stats };
}

function add(a: Counts, b: Counts): Counts {
  return {
    requests: a.requests + b.requests,
    errors: a.errors + b.errors,
    durationMs: a.durationMs + b.durationMs,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costMicros: a.costMicros + b.costMicros,
  };
}

function sum(rows: readonly Row[]): Counts {
  return rows.reduce<Counts>(add, nothing);
}

function groupBy(rows: readonly Row[], nameOf: (row: Row) => string): ReadonlyMap<string, Counts> {
  const found = new Map<string, Counts>();
  for (const row of rows) found.set(nameOf(row), add(found.get(nameOf(row)) ?? nothing, row));
  return found;
}

function groups(rows: readonly Row[], nameOf: (row: Row) => string): readonly (UsageSums & { readonly id: string })[] {
  return [...groupBy(rows, nameOf)]
    .map(([id, counts]) => ({ id, ...sumsOf(counts) }))
    .toSorted((a, b) => b.requests - a.requests || b.output_tokens - a.output_tokens)
    .slice(0, maxGroups);
}

function sumsOf(counts: Counts = nothing): UsageSums {
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
