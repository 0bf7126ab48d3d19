import type { RequestStats, RequestStatsStore } from '@modelwire/ports';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { compileOnce, statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { fromStored, toStored } from './text.ts';

export function requestStatsStore(database: SqlDatabase, db: QueryBuilder): RequestStatsStore {
  const add = statement((slot: Slots<RequestStats>) =>
    db
      .insertInto('request_stats')
      .values({
        day: slot(({ day }) => day),
        project: slot(({ project }) => toStored(project)),
        key_id: slot(({ keyId }) => toStored(keyId)),
        model: slot(({ model }) => toStored(model)),
        requests: slot(({ requests }) => requests),
        errors: slot(({ errors }) => errors),
        duration_ms: slot(({ durationMs }) => Math.round(durationMs)),
      })
      .onConflict((conflict) =>
        conflict.columns(['day', 'project', 'key_id', 'model']).doUpdateSet(({ eb, ref }) => ({
          requests: eb('request_stats.requests', '+', ref('excluded.requests')),
          errors: eb('request_stats.errors', '+', ref('excluded.errors')),
          duration_ms: eb('request_stats.duration_ms', '+', ref('excluded.duration_ms')),
        })),
      ),
  );
  return {
    async add(stats) {
      if (stats.length === 0) return;
      // In the same order everywhere: replicas that lock the same rows in different orders would deadlock.
      await database.write(stats.toSorted(inOrder).map(add));
    },
    async read({ from, to, project, keyId, model }) {
      let query = db
        .selectFrom('request_stats')
        .select(['day', 'project', 'key_id', 'model', 'requests', 'errors', 'duration_ms'])
        .where('day', '>=', from)
        .where('day', '<', to);
      if (project !== undefined) query = query.where('project', '=', toStored(project));
      if (keyId !== undefined) query = query.where('key_id', '=', toStored(keyId));
      if (model !== undefined) query = query.where('model', '=', toStored(model));
      const rows = await database.scan(
        compileOnce(query.orderBy('day').orderBy('project').orderBy('key_id').orderBy('model')),
      );
      return rows.map((row): RequestStats => ({
        day: row.day,
        project: fromStored(row.project),
        keyId: fromStored(row.key_id),
        model: fromStored(row.model),
        requests: row.requests,
        errors: row.errors,
        durationMs: row.duration_ms,
      }));
    },
  };
}

function inOrder(a: RequestStats, b: RequestStats): number {
  return a.day - b.day || compare(a.project, b.project) || compare(a.keyId, b.keyId) || compare(a.model, b.model);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
