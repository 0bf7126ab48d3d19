import type { Clock, UsageIncrement, UsageQuery, UsageStore } from '@modelwire/ports';
import { invalid } from '../errors.ts';
import { nowInSeconds } from '../clock.ts';

export const daySeconds = 86_400;
const pageDays = 7;

interface DaysQuery {
  readonly start_time: number;
  readonly end_time?: number | undefined;
  readonly limit?: number | undefined;
  readonly page?: string | undefined;
}

interface Days {
  /** Unix seconds of the start of each day, in UTC. */
  readonly days: readonly number[];
  readonly used: readonly UsageIncrement[];
  readonly nextPage: string | null;
}

/** Reads one page of a report by days. The day of `start_time` is reported from its start. */
export async function readDays(
  store: UsageStore,
  query: DaysQuery,
  clock: Pick<Clock, 'now'>,
  filters: Omit<UsageQuery, 'from' | 'to'>,
): Promise<Days> {
  const end = query.end_time ?? nowInSeconds(clock) + 1;
  const first = pageStart(query);
  const last = Math.min(first + (query.limit ?? pageDays) * daySeconds, Math.ceil(end / daySeconds) * daySeconds);
  return {
    days: Array.from({ length: Math.max(0, (last - first) / daySeconds) }, (_, index) => first + index * daySeconds),
    used: first < last ? await store.read({ from: first, to: last, ...filters }) : [],
    nextPage: last < end ? `day_${last}` : null,
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
