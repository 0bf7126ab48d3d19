import type { UsageIncrement, UsageQuery } from '@modelwire/ports';
import type { ServerContext } from '../context.ts';
import { invalid } from '../errors.ts';
import { nowInSeconds } from '../clock.ts';
import { storesOf } from '../media/files/storage.ts';
import type { JsonReply } from './reply.ts';

const daySeconds = 86_400;
const pageDays = 7;

interface DaysQuery {
  readonly start_time: number;
  readonly end_time?: number | undefined;
  readonly limit?: number | undefined;
  readonly page?: string | undefined;
}

/** The reply of a report by days. */
interface DaysPage<Result> {
  readonly object: 'page';
  readonly data: {
    readonly object: 'bucket';
    /** Unix seconds of the start of the day, in UTC. */
    readonly start_time: number;
    readonly end_time: number;
    readonly results: Result[];
  }[];
  readonly has_more: boolean;
  readonly next_page: string | null;
}

/**
 * Replies with one page of a report by days. The day of `start_time` is reported from its start.
 *
 * @param resultsOf Sums the usage of one day.
 */
export async function replyWithDays<Result>(
  query: DaysQuery,
  server: ServerContext,
  filters: Omit<UsageQuery, 'from' | 'to'>,
  resultsOf: (used: readonly UsageIncrement[]) => Result[],
): Promise<JsonReply<DaysPage<Result>>> {
  await server.meter.flush();
  const end = query.end_time ?? nowInSeconds(server.clock) + 1;
  const first = pageStart(query);
  const last = Math.min(first + (query.limit ?? pageDays) * daySeconds, Math.ceil(end / daySeconds) * daySeconds);
  const used = first < last ? await storesOf(server).usage.read({ from: first, to: last, ...filters }) : [];
  const data = Array.from({ length: Math.max(0, (last - first) / daySeconds) }, (_, index) => {
    const start_time = first + index * daySeconds;
    const results = resultsOf(used.filter(({ day }) => day === start_time));
    return { object: 'bucket' as const, start_time, end_time: start_time + daySeconds, results };
  });
  const hasMore = last < end;
  return {
    status: 200,
    body: { object: 'page', data, has_more: hasMore, next_page: hasMore ? `day_${last}` : null },
  };
}

function pageStart({ page, start_time }: DaysQuery): number {
  if (page === undefined) return Math.floor(start_time / daySeconds) * daySeconds;
  const at = Number(/^day_(\d{1,12})$/.exec(page)?.[1] ?? NaN);
  if (!Number.isInteger(at / daySeconds)) {
    throw invalid('page', "Invalid value for 'page': expected `next_page` of the previous page.");
  }
  return at;
}
