import type { RequestStats, RequestStatsStore } from '@modelwire/ports';
import { dailyColumns, dailyKeyOf, dailyValues, inDailyOrder } from './daily.ts';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { compileOnce, statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';

export function requestStatsStore(database: SqlDatabase, db: QueryBuilder): RequestStatsStore {
  const add = statement((slot: Slots<RequestStats>) =>
    db
      .insertInto('request_stats')
      .values({
        ...dailyValues(slot),
        requests: slot('requests'),
        errors: slot('errors'),
        duration_ms: slot(({ durationMs }) => Math.round(durationMs)),
      })
      .onConflict((conflict) =>
        conflict.columns(dailyColumns).doUpdateSet(({ eb, ref }) => ({
          requests: eb('request_stats.requests', '+', ref('excluded.requests')),
          errors: eb('request_stats.errors', '+', ref('excluded.errors')),
          duration_ms: eb('request_stats.duration_ms', '+', ref('excluded.duration_ms')),
        })),
      ),
  );
  return {
    async add(stats) {
      if (stats.length === 0) return;
      await database.write(stats.toSorted(inDailyOrder).map(add));
    },
    async read({ from, to, project, keyId, model }) {
      let query = db
        .selectFrom('request_stats')
        .select([...dailyColumns, 'requests', 'errors', 'duration_ms'])
        .where('day', '>=', from)
        .where('day', '<', to);
      if (project !== undefined) query = query.where('project', '=', toStored(project));
      if (keyId !== undefined) query = query.where('key_id', '=', toStored(keyId));
      if (model !== undefined) query = query.where('model', '=', toStored(model));
      const rows = await database.scan(
        compileOnce(query.orderBy('day').orderBy('project').orderBy('key_id').orderBy('model')),
      );
      return rows.map((row): RequestStats => ({
        ...dailyKeyOf(row),
        requests: row.requests,
        errors: row.errors,
        durationMs: row.duration_ms,
      }));
    },
  };
}
