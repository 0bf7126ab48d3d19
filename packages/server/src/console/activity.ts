import type { StepStats } from '@modelwire/ports';
import * as z from 'zod';
import type { Call } from '../call.ts';
import { nowInSeconds } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import { sumBy } from '../limits/usage-sums.ts';
import type { ActivityReport } from './api-types.ts';
import { toUsageSums, usageFilters, zeroCounts } from './usage.ts';

/** Steps of the report in seconds, by its number of hours. */
const stepsOfHours = { 1: 60, 6: 900, 24: 3600 } as const;

const { project, model } = usageFilters;
export const activityQuerySchema = z.strictObject({ hours: z.enum(['1', '6', '24']), project, model });

/** GET /console/api/activity: requests, tokens, costs and percentiles of durations in the last hours, by step. */
export async function readActivity(
  { query }: Call<undefined, z.output<typeof activityQuerySchema>>,
  { clock, options, prices, meter }: ServerContext,
): Promise<Reply> {
  await meter.flush();
  const hours = query.hours === '1' ? 1 : query.hours === '6' ? 6 : 24;
  const step = stepsOfHours[hours];
  const to = Math.floor(nowInSeconds(clock) / step) * step + step;
  const from = to - hours * 3600;
  const { project, model } = query;
  const stats = (await options.stores?.requestStats?.readMinutes({ from, to, step, project, model })) ?? [];
  const steps = Map.groupBy(stats, ({ start }) => start);
  const body: ActivityReport = {
    currency: options.prices ? prices.currency : null,
    step_seconds: step,
    steps: Array.from({ length: (to - from) / step }, (_, index) => {
      const start = from + index * step;
      return { start, ...sumsOf(steps.get(start) ?? []) };
    }),
    total: sumsOf(stats),
  };
  return { status: 200, body };
}

function sumsOf(stats: readonly StepStats[]) {
  const [total] = sumBy<StepStats, string>(stats, () => 'all');
  return toUsageSums({ ...zeroCounts, ...total?.sum }, stats);
}
