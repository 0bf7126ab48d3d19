import type { UsageParams, UsageResult } from '@modelwire/schema/types';
import { addCounts } from '@modelwire/adapter-kit';
import type { UsageIncrement } from '@modelwire/ports';
import { replyWithDays } from '../../http/usage-days.ts';
import type { Handlers } from '../../http/implement.ts';

/** GET /organization/usage/completions: usage by day, in the format of official SDKs. */
export const readUsage: Handlers['usage.completions'] = ({ query }, server) => {
  const { project_ids: projects, api_key_ids: keyIds, models } = query;
  return replyWithDays(query, server, { projects, keyIds, models }, (used) => resultsOf(used, query));
};

function resultsOf(increments: readonly UsageIncrement[], { group_by: groups = [] }: UsageParams): UsageResult[] {
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
  return [...results.values()];
}
