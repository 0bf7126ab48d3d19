import { maxCount } from '@modelwire/ports';
import type { UsageIncrement, UsageQuery, UsageStore } from '@modelwire/ports';
import { addedCounts, dailyColumns, dailyKeyOf, dailyValues, dailyWriter, readableCount } from './daily.ts';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { compileOnce, statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';

const counts = ['requests', 'input_tokens', 'output_tokens', 'cached_tokens', 'cost_micros'] as const;

export function usageStore(database: SqlDatabase, db: QueryBuilder): UsageStore {
  const add = statement((slot: Slots<UsageIncrement>) =>
    db
      .insertInto('usage')
      .values({
        ...dailyValues(slot),
        requests: slot((entry) => Math.min(entry.requests, maxCount)),
        input_tokens: slot((entry) => Math.min(entry.inputTokens, maxCount)),
        output_tokens: slot((entry) => Math.min(entry.outputTokens, maxCount)),
        cached_tokens: slot((entry) => Math.min(entry.cachedTokens, maxCount)),
        cost_micros: slot((entry) => Math.min(entry.costMicros, maxCount)),
      })
      .onConflict((conflict) => conflict.columns(dailyColumns).doUpdateSet(addedCounts('usage', counts))),
  );

  return {
    add: dailyWriter(database, add),

    async read({ from, to, projects, keyIds, models }: UsageQuery) {
      let query = db
        .selectFrom('usage')
        .select([...dailyColumns, ...counts.map(readableCount)])
        .where('day', '>=', from)
        .where('day', '<', to);
      // PostgreSQL rejects `in ()`.
      if ([projects, keyIds, models].some((values) => values?.length === 0)) return [];
      if (projects) query = query.where('project', 'in', projects.map(toStored));
      if (keyIds) query = query.where('key_id', 'in', keyIds.map(toStored));
      if (models) query = query.where('model', 'in', models.map(toStored));
      const rows = await database.scan(
        compileOnce(query.orderBy('day').orderBy('project').orderBy('key_id').orderBy('model')),
      );
      return rows.map((row): UsageIncrement => ({
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
