import type { UsageBucket, UsagePage, UsageParams, UsageResult } from '@modelwire/schema/types';
import { invalid } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import type { UsageIncrement } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { nowInSeconds } from '../../sources.ts';

const day = 86_400;
const pageDays = 7;

/** GET /organization/usage/completions: what was used by day, in the form that official SDKs read. */
export async function readUsage({ query }: Call<undefined, UsageParams>, kit: ServerContext): Promise<Reply> {
  const { stores } = kit.options;
  if (!stores) throw new Error('served without stores');
  await kit.meter?.flush();
  const end = query.end_time ?? nowInSeconds() + 1;
  const first = pageStart(query);
  const last = Math.min(first + (query.limit ?? pageDays) * day, Math.ceil(end / day) * day);
  const { project_ids: projects, api_key_ids: keyIds, models } = query;
  const used = first < last ? await stores.usage.read({ from: first, to: last, projects, keyIds, models }) : [];
  const body: UsagePage = {
    object: 'page',
    data: daysOf(first, last).map((start) =>
      bucket(
        start,
        used.filter((one) => one.day === start),
        query,
      ),
    ),
    has_more: last < end,
    next_page: last < end ? `day_${last}` : null,
  };
  return { status: 200, body };
}

/** Days are whole, in UTC: one that `start_time` falls into is there from its beginning. */
function pageStart({ page, start_time }: UsageParams): number {
  if (page === undefined) return Math.floor(start_time / day) * day;
  const at = Number(/^day_(\d{1,12})$/.exec(page)?.[1] ?? NaN);
  if (!Number.isInteger(at / day))
    throw invalid('page', "Invalid value for 'page': expected `next_page` of the page before.");
  return at;
}

function daysOf(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, (last - first) / day) }, (_, index) => first + index * day);
}

function bucket(start: number, used: readonly UsageIncrement[], { group_by: groups = [] }: UsageParams): UsageBucket {
  const results = new Map<string, UsageResult>();
  for (const one of used) {
    const group = {
      project_id: groups.includes('project_id') ? one.project : null,
      api_key_id: groups.includes('api_key_id') ? one.keyId : null,
      model: groups.includes('model') ? one.model : null,
    };
    const name = JSON.stringify(group);
    const known = results.get(name);
    results.set(name, {
      object: 'organization.usage.completions.result',
      num_model_requests: (known?.num_model_requests ?? 0) + one.requests,
      input_tokens: (known?.input_tokens ?? 0) + one.inputTokens,
      output_tokens: (known?.output_tokens ?? 0) + one.outputTokens,
      input_cached_tokens: (known?.input_cached_tokens ?? 0) + one.cachedTokens,
      ...group,
    });
  }
  return { object: 'bucket', start_time: start, end_time: start + day, results: [...results.values()] };
}
