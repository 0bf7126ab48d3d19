import type { UsageIncrement, UsageQuery } from '@modelwire/ports';
import type { Handlers } from '../../http/implement.ts';
import type { ServerContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { sumBy } from '../../limits/usage-sums.ts';
import { nowInSeconds } from '../../clock.ts';
import { storesOf } from '../../media/files/storage.ts';
import type { JsonReply } from '../../http/reply.ts';

/** Usage by day, in the format of official SDKs. */
export const readUsage: Handlers['usage.completions'] = ({ query }, server) => {
  const { project_ids: projects, api_key_ids: keyIds, models, group_by: groups = [] } = query;
  const groupOf = ({ project, keyId, model }: UsageIncrement) => ({
    project_id: groups.includes('project_id') ? project : null,
    api_key_id: groups.includes('api_key_id') ? keyId : null,
    model: groups.includes('model') ? model : null,
  });
  return replyWithDays(query, server, { projects, keyIds, models }, (used) =>
    sumBy(used, groupOf).map(({ group, sum }) => ({
      object: 'organization.usage.completions.result',
      num_model_requests: sum.requests,
      input_tokens: sum.inputTokens,
      output_tokens: sum.outputTokens,
      input_cached_tokens: sum.cachedTokens,
      ...group,
    })),
  );
};

/** Costs by day, by the price table at that time. */
export const readCosts: Handlers['organization.costs'] = ({ query }, server) => {
  const { project_ids: projects, api_key_ids: keyIds, group_by: groups = [] } = query;
  const groupOf = ({ project, keyId, model }: UsageIncrement) => ({
    project_id: groups.includes('project_id') ? project : null,
    api_key_id: groups.includes('api_key_id') ? keyId : null,
    line_item: groups.includes('line_item') ? model : null,
  });
  return replyWithDays(query, server, { projects, keyIds }, (used) =>
    sumBy(used, groupOf).map(({ group, sum }) => ({
      object: 'organization.costs.result',
      amount: { value: sum.costMicros / 1e6, currency: server.prices.currency },
      ...group,
    })),
  );
};

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
async function replyWithDays<Result>(
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
