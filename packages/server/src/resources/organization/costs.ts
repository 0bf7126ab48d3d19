import type { CostsParams, CostsResult } from '@modelwire/schema/types';
import { addCounts } from '@modelwire/adapter-kit';
import type { UsageIncrement } from '@modelwire/ports';
import { replyWithDays } from '../../http/usage-days.ts';
import type { Handlers } from '../../http/implement.ts';

/** GET /organization/costs: costs by day, by the price table at that time. */
export const readCosts: Handlers['organization.costs'] = ({ query }, server) => {
  const { project_ids: projects, api_key_ids: keyIds } = query;
  const { currency } = server.prices;
  return replyWithDays(query, server, { projects, keyIds }, (used) => resultsOf(used, query, currency));
};

function resultsOf(
  increments: readonly UsageIncrement[],
  { group_by: groups = [] }: CostsParams,
  currency: string,
): CostsResult[] {
  const sums = new Map<string, { readonly group: Omit<CostsResult, 'object' | 'amount'>; micros: number }>();
  for (const increment of increments) {
    const group = {
      project_id: groups.includes('project_id') ? increment.project : null,
      api_key_id: groups.includes('api_key_id') ? increment.keyId : null,
      line_item: groups.includes('line_item') ? increment.model : null,
    };
    const name = JSON.stringify(group);
    const sum = sums.get(name) ?? { group, micros: 0 };
    sums.set(name, { group, micros: addCounts(sum.micros, increment.costMicros) });
  }
  return [...sums.values()].map(({ group, micros }) => ({
    object: 'organization.costs.result',
    amount: { value: micros / 1e6, currency },
    ...group,
  }));
}
