import type { UsageIncrement, UsageQuery, UsageStore } from '@modelwire/ports';
import { dailyKeyOf, dailyWriter, selectDaily } from './daily.ts';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { compileOnce } from './statement.ts';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';

export function usageStore(database: SqlDatabase, db: QueryBuilder): UsageStore {
  return {
    add: dailyWriter(database, db, 'usage', (slot: Slots<UsageIncrement>) => ({
      requests: slot('requests'),
      input_tokens: slot('inputTokens'),
      output_tokens: slot('outputTokens'),
      cached_tokens: slot('cachedTokens'),
      cost_micros: slot('costMicros'),
    })),

    async read({ from, to, projects, keyIds, models }: UsageQuery) {
      let query = selectDaily(db, 'usage', from, to).select([
        'requests',
        'input_tokens',
        'output_tokens',
        'cached_tokens',
        'cost_micros',
      ]);
      // PostgreSQL rejects `in ()`.
      if ([projects, keyIds, models].some((values) => values?.length === 0)) return [];
      if (projects) query = query.where('project', 'in', projects.map(toStored));
      if (keyIds) query = query.where('key_id', 'in', keyIds.map(toStored));
      if (models) query = query.where('model', 'in', models.map(toStored));
      return (await database.scan(compileOnce(query))).map((row): UsageIncrement => ({
        ...dailyKeyOf(row),
        requests: row.requests,
        inputTokens: row.input_tokens,
        outputTokens: row.output_tokens,
        cachedTokens: row.cached_tokens,
        costMicros: row.cost_micros,
      }));
    },
  };
}
