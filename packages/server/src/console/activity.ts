import * as z from 'zod';
import type { Call } from '../call.ts';
import { nowInSeconds } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import type { ActivitySums } from '../limits/recent-activity.ts';
import type { ActivityReport, UsageSums } from './api-types.ts';
import { percentilesOf } from './percentiles.ts';

/** Steps of the report in seconds, by its number of hours. */
const stepsOfHours = { 1: 60, 6: 900, 24: 3600 } as const;

export const activityQuerySchema = z.strictObject({ hours: z.enum(['1', '6', '24']) });

/** GET /console/api/activity: requests, tokens, costs and percentiles of durations of this process in the last hours, by step. */
export function readActivity(
  { query }: Call<undefined, z.output<typeof activityQuerySchema>>,
  { clock, options, prices, recentActivity }: ServerContext,
): Reply {
  const hours = query.hours === '1' ? 1 : query.hours === '6' ? 6 : 24;
  const step = stepsOfHours[hours];
  const to = Math.floor(nowInSeconds(clock) / step) * step + step;
  const from = to - hours * 3600;
  const body: ActivityReport = {
    currency: options.prices ? prices.currency : null,
    since: recentActivity.since,
    step_seconds: step,
    steps: Array.from({ length: (to - from) / step }, (_, index) => {
      const start = from + index * step;
      return { start, ...toCounts(recentActivity.sum(start, start + step)) };
    }),
    total: toCounts(recentActivity.sum(from, to)),
  };
  return { status: 200, body };
}

function toCounts(sums: ActivitySums): UsageSums {
  return {
    requests: sums.requests,
    errors: sums.errors,
    input_tokens: sums.inputTokens,
    output_tokens: sums.outputTokens,
    cached_tokens: sums.cachedTokens,
    cost: sums.costMicros / 1e6,
    duration_ms: percentilesOf(sums.durations),
    first_token_ms: percentilesOf(sums.firstTokens),
  };
}
