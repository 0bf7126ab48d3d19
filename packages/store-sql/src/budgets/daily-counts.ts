import { maxCount } from '@modelwire/adapter-kit/internal';
import type { DailyKey, RequestStatsStore, UsageQuery, UsageStore } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { untyped } from '../query/rows.ts';
import { saturate } from '../query/saturate.ts';
import { compileOnce, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';

export function usageStore(database: SqlDatabase, db: QueryBuilder): UsageStore {
  return dailyCounts(database, db, 'usage', {
    requests: 'requests',
    inputTokens: 'input_tokens',
    outputTokens: 'output_tokens',
    cachedTokens: 'cached_tokens',
    costMicros: 'cost_micros',
  });
}

export function requestStatsStore(database: SqlDatabase, db: QueryBuilder): RequestStatsStore {
  const { add, read } = dailyCounts(database, db, 'request_stats', {
    requests: 'requests',
    errors: 'errors',
    durationMs: 'duration_ms',
  });
  const listOf = (value: string | undefined) => (value === undefined ? undefined : [value]);
  return {
    add,
    read: ({ from, to, project, keyId, model }) =>
      read({ from, to, projects: listOf(project), keyIds: listOf(keyId), models: listOf(model) }),
  };
}

const keyColumns = ['day', 'project_id', 'key_id', 'model'] as const;

/** Counts by day, project, key and model. `columns`: that of each count. */
function dailyCounts<Count extends string>(
  database: SqlDatabase,
  db: QueryBuilder,
  table: 'usage' | 'request_stats',
  columns: Readonly<Record<Count, string>>,
) {
  type Entry = DailyKey & Readonly<Record<Count, number>>;
  const counts = Object.entries<string>(columns) as [Count, string][];
  const builder = untyped(db);
  const add = statement((slot: Slots<Entry>) =>
    builder
      .insertInto(table)
      .values({
        day: slot(({ day }) => day),
        project_id: slot(({ project }) => toStored(project)),
        key_id: slot(({ keyId }) => toStored(keyId)),
        model: slot(({ model }) => toStored(model)),
        ...Object.fromEntries(
          counts.map(([count, column]) => [column, slot((entry) => Math.min(Math.round(entry[count]), maxCount))]),
        ),
      })
      // For a row that exists: its counts with those of the inserted row added, each at most `maxCount`.
      .onConflict((conflict) =>
        conflict
          .columns(keyColumns)
          .doUpdateSet(
            Object.fromEntries(
              counts.map(([, column]) => [
                column,
                saturate(sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`),
              ]),
            ),
          ),
      ),
  );
  return {
    /** Adds entries in one transaction. */
    async add(entries: readonly Entry[]): Promise<void> {
      if (entries.length > 0) await database.write(entries.toSorted(inDailyOrder).map(add));
    },

    async read({ from, to, projects, keyIds, models }: UsageQuery): Promise<readonly Entry[]> {
      // PostgreSQL rejects `in ()`.
      if ([projects, keyIds, models].some((values) => values?.length === 0)) return [];
      let query = builder
        .selectFrom(table)
        .select(keyColumns)
        // A count above `maxCount`, which another program may have written, must not make the others unreadable.
        .select(counts.map(([, column]) => saturate(sql.ref<number>(column)).as(column)))
        .where('day', '>=', from)
        .where('day', '<', to);
      if (projects) query = query.where('project_id', 'in', projects.map(toStored));
      if (keyIds) query = query.where('key_id', 'in', keyIds.map(toStored));
      if (models) query = query.where('model', 'in', models.map(toStored));
      const rows = await database.scan(
        compileOnce(query.orderBy('day').orderBy('project_id').orderBy('key_id').orderBy('model')),
      );
      return rows.map(entryOf);
    },
  };

  function entryOf(row: Readonly<Record<string, unknown>>): Entry {
    const textOf = (column: string) => fromStored(String(row[column]) as StoredText);
    const key: DailyKey = {
      day: Number(row['day']),
      project: textOf('project_id'),
      keyId: textOf('key_id'),
      model: textOf('model'),
    };
    const values = Object.fromEntries(counts.map(([count, column]) => [count, Number(row[column])]));
    return { ...key, ...(values as Record<Count, number>) };
  }
}

/** Rows are written in this order everywhere: replicas that lock the same rows in different orders would deadlock. */
function inDailyOrder(a: DailyKey, b: DailyKey): number {
  return a.day - b.day || compare(a.project, b.project) || compare(a.keyId, b.keyId) || compare(a.model, b.model);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
