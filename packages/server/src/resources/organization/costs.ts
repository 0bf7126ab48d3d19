import type { CostsPage, CostsParams, CostsResult } from '@modelwire/schema/types';
import { addCounts } from '@modelwire/adapter-kit';
import type { UsageIncrement } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import type { JsonReply } from '../../http/reply.ts';
import { daySeconds, readDays } from '../../http/usage-days.ts';
import { storesOf } from './audit.ts';

/** GET /organization/costs: costs by day, by the price table at that time. */
export async function readCosts(
  { query }: Call<undefined, CostsParams>,
  server: ServerContext,
): Promise<JsonReply<CostsPage>> {
  await server.meter.flush();
  const { days, used, nextPage } = await readDays(storesOf(server).usage, query, server.clock, {
    projects: query.project_ids,
    keyIds: query.api_key_ids,
  });
  const currency = server.prices.currency;
  const body: CostsPage = {
    object: 'page',
    data: days.map((start) => ({
      object: 'bucket',
      start_time: start,
      end_time: start + daySeconds,
      results: resultsOf(
        used.filter((one) => one.day === start),
        query,
        currency,
      ),
    })),
    has_more: nextPage !== null,
    next_page: nextPage,
  };
  return { status: 200, body };
}

function resultsOf(
  increments: readonly UsageIncrement[],
  { group_by: groups = [] }: CostsParams,
  currency: string,
): CostsResult[] {
  const sums = new Map<string, { readonly used: UsageIncrement; micros: number }>();
  for (const increment of increments) {
    const { project, keyId, model } = increment;
    const name = JSON.stringify([
      groups.includes('project_id') && project,
      groups.includes('api_key_id') && keyId,
      groups.includes('line_item') && model,
    ]);
    const sum = sums.get(name);
    if (sum) sum.micros = addCounts(sum.micros, increment.costMicros);
    else sums.set(name, { used: increment, micros: increment.costMicros });
  }
  return [...sums.values()].map(({ used: { project, keyId, model }, micros }) => ({
    object: 'organization.costs.result',
    amount: { value: micros / 1e6, currency },
    project_id: groups.includes('project_id') ? project : null,
    api_key_id: groups.includes('api_key_id') ? keyId : null,
    line_item: groups.includes('line_item') ? model : null,
  }));
}
