import type { UsageBucket, UsagePage, UsageParams, UsageResult } from '@modelwire/schema/types';
import { addCounts } from '@modelwire/adapter-kit';
import type { UsageIncrement } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import type { JsonReply } from '../../http/reply.ts';
import { daySeconds, readDays } from '../../http/usage-days.ts';

/** GET /organization/usage/completions: usage by day, in the format of official SDKs. */
export async function readUsage(
  { query }: Call<undefined, UsageParams>,
  server: ServerContext,
): Promise<JsonReply<UsagePage>> {
  const { stores } = server.options;
  if (!stores) throw new Error('served without stores');
  await server.meter.flush();
  const { project_ids: projects, api_key_ids: keyIds, models } = query;
  const { days, used, nextPage } = await readDays(stores.usage, query, server.clock, { projects, keyIds, models });
  const body: UsagePage = {
    object: 'page',
    data: days.map((start) =>
      bucket(
        start,
        used.filter((one) => one.day === start),
        query,
      ),
    ),
    has_more: nextPage !== null,
    next_page: nextPage,
  };
  return { status: 200, body };
}

function bucket(
  start: number,
  increments: readonly UsageIncrement[],
  { group_by: groups = [] }: UsageParams,
): UsageBucket {
  const results = new Map<string, UsageResult>();
  for (const increment of increments) {
    const group = {
      project_id: groups.includes('project_id') ? increment.project : null,
      api_key_id: groups.includes('api_key_id') ? increment.keyId : null,
      model: groups.includes('model') ? increment.model : null,
    };
    const name = JSON.stringify(group);
    const previous = results.get(name);
    results.set(name, {
      object: 'organization.usage.completions.result',
      num_model_requests: addCounts(previous?.num_model_requests ?? 0, increment.requests),
      input_tokens: addCounts(previous?.input_tokens ?? 0, increment.inputTokens),
      output_tokens: addCounts(previous?.output_tokens ?? 0, increment.outputTokens),
      input_cached_tokens: addCounts(previous?.input_cached_tokens ?? 0, increment.cachedTokens),
      ...group,
    });
  }
  return { object: 'bucket', start_time: start, end_time: start + daySeconds, results: [...results.values()] };
}
