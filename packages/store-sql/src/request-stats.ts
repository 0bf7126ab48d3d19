import { maxCount } from '@modelwire/ports';
import type { RequestStats, RequestStatsStore } from '@modelwire/ports';
import { addedCounts, dailyColumns, dailyKeyOf, dailyValues, dailyWriter, readableCount } from './daily.ts';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { compileOnce, statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { toStored } from './text.ts';

const counts = ['requests', 'errors', 'duration_ms'] as const;

export function requestStatsStore(database: SqlDatabase, db: QueryBuilder): RequestStatsStore {
  const add = statement((slot: Slots<RequestStats>) =>
    db
      .insertInto('request_stats')
      .values({
        ...dailyValues(slot),
        requests: slot((entry) => Math.min(entry.requests, maxCount)),
        errors: slot((entry) => Math.min(entry.errors, maxCount)),
        duration_ms: slot(({ durationMs }) => Math.min(Math.round(durationMs), maxCount)),
      })
      .onConflict((conflict) => conflict.columns(dailyColumns).doUpdateSet(addedCounts('request_stats', counts))),
  );
  return {
    add: dailyWriter(database, add),
    async read({ from, to, project, keyId, model }) {
      let query = db
        .selectFrom('request_stats')
        .select([...dailyColumns, ...counts.map(readableCount)])
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
