import type { RequestStats, RequestStatsStore } from '@modelwire/ports';
import { dailyKeyOf, dailyWriter, selectDaily } from './daily.ts';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { compileOnce } from './statement.ts';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';

export function requestStatsStore(database: SqlDatabase, db: QueryBuilder): RequestStatsStore {
  return {
    add: dailyWriter(database, db, 'request_stats', (slot: Slots<RequestStats>) => ({
      requests: slot('requests'),
      errors: slot('errors'),
      duration_ms: slot(({ durationMs }) => Math.round(durationMs)),
    })),
    async read({ from, to, project, keyId, model }) {
      let query = selectDaily(db, 'request_stats', from, to).select(['requests', 'errors', 'duration_ms']);
      if (project !== undefined) query = query.where('project', '=', toStored(project));
      if (keyId !== undefined) query = query.where('key_id', '=', toStored(keyId));
      if (model !== undefined) query = query.where('model', '=', toStored(model));
      return (await database.scan(compileOnce(query))).map((row): RequestStats => ({
        ...dailyKeyOf(row),
        requests: row.requests,
        errors: row.errors,
        durationMs: row.duration_ms,
      }));
    },
  };
}
