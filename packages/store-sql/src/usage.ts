import type { UsageIncrement, UsageQuery, UsageStore } from '@modelwire/ports';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { compileOnce, statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { fromStored, toStored } from './text.ts';

export function usageStore(database: SqlDatabase, db: QueryBuilder): UsageStore {
  const add = statement((slot: Slots<UsageIncrement>) =>
    db
      .insertInto('usage')
      .values({
        day: slot(({ day }) => day),
        project: slot(({ project }) => toStored(project)),
        key_id: slot(({ keyId }) => toStored(keyId)),
        model: slot(({ model }) => toStored(model)),
        requests: slot(({ requests }) => requests),
        input_tokens: slot(({ inputTokens }) => inputTokens),
        output_tokens: slot(({ outputTokens }) => outputTokens),
        cached_tokens: slot(({ cachedTokens }) => cachedTokens),
        cost_micros: slot(({ costMicros }) => costMicros),
      })
      .onConflict((conflict) =>
        conflict.columns(['day', 'project', 'key_id', 'model']).doUpdateSet(({ eb, ref }) => ({
          requests: eb('usage.requests', '+', ref('excluded.requests')),
          input_tokens: eb('usage.input_tokens', '+', ref('excluded.input_tokens')),
          output_tokens: eb('usage.output_tokens', '+', ref('excluded.output_tokens')),
          cached_tokens: eb('usage.cached_tokens', '+', ref('excluded.cached_tokens')),
          cost_micros: eb('usage.cost_micros', '+', ref('excluded.cost_micros')),
        })),
      ),
  );

  return {
    async add(increments) {
      if (increments.length === 0) return;
      // In the same order everywhere: replicas that lock the same rows in different orders would deadlock.
      await database.write(increments.toSorted(inOrder).map(add));
    },

    async read({ from, to, projects, keyIds, models }: UsageQuery) {
      let query = db
        .selectFrom('usage')
        .select([
          'day',
          'project',
          'key_id',
          'model',
          'requests',
          'input_tokens',
          'output_tokens',
          'cached_tokens',
          'cost_micros',
        ])
        .where('day', '>=', from)
        .where('day', '<', to);
      // PostgreSQL rejects `in ()`.
      if ([projects, keyIds, models].some((given) => given?.length === 0)) return [];
      if (projects) query = query.where('project', 'in', projects.map(toStored));
      if (keyIds) query = query.where('key_id', 'in', keyIds.map(toStored));
      if (models) query = query.where('model', 'in', models.map(toStored));
      const rows = await database.scan(
        compileOnce(query.orderBy('day').orderBy('project').orderBy('key_id').orderBy('model')),
      );
      return rows.map((row): UsageIncrement => ({
        day: row.day,
        project: fromStored(row.project),
        keyId: fromStored(row.key_id),
        model: fromStored(row.model),
        requests: row.requests,
        inputTokens: row.input_tokens,
        outputTokens: row.output_tokens,
        cachedTokens: row.cached_tokens,
        costMicros: row.cost_micros,
      }));
    },
  };
}

function inOrder(a: UsageIncrement, b: UsageIncrement): number {
  return a.day - b.day || compare(a.project, b.project) || compare(a.keyId, b.keyId) || compare(a.model, b.model);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
