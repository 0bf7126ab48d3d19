import { maxCount, toCount } from '@modelwire/adapter-kit/internal';
import type {
  DailyKey,
  DurationQuery,
  DurationSum,
  MinuteQuery,
  RequestStatsStore,
  StepStats,
  UsageQuery,
  UsageStore,
} from '@modelwire/ports';
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
  });
  const listOf = (value: string | undefined) => (value === undefined ? undefined : [value]);
  return {
    add,
    read: ({ from, to, project, keyId, model }) =>
      read({ from, to, projects: listOf(project), keyIds: listOf(keyId), models: listOf(model) }),
    addDurations: createAdd(database, db, 'request_durations', {
      texts: dailyTexts,
      numbers: { day: 'day', range: 'duration_range' },
      counts: { requests: 'requests', firstTokens: 'first_tokens' },
    }),
    readDurations: (query) => sumDurations(database, db, query),
    addMinutes: createAdd(database, db, 'request_minutes', {
      texts: { project: 'project_id', model: 'model' },
      numbers: { minute: 'minute', range: 'duration_range' },
      counts: minuteCounts,
    }),
    readMinutes: (query) => sumMinutes(database, db, query),
  };
}

const minuteCounts = {
  requests: 'requests',
  errors: 'errors',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cachedTokens: 'cached_tokens',
  costMicros: 'cost_micros',
  firstTokens: 'first_tokens',
} as const;

/** The sum of a column as a floating-point number, which cannot overflow, and which PostgreSQL returns as a number. */
const sumOf = <Name extends string>(column: Name) =>
  sql<number>`sum(cast(${sql.ref(column)} as double precision))`.as(column);

/** Summed by the database: a day of many models has too many rows for the main thread. */
async function sumMinutes(
  database: SqlDatabase,
  db: QueryBuilder,
  { from, to, step, project, model }: MinuteQuery,
): Promise<readonly StepStats[]> {
  const start = sql<number>`minute - minute % ${sql.lit(step)}`;
  let query = untyped(db)
    .selectFrom('request_minutes')
    .select([start.as('start'), 'duration_range'])
    .select(Object.values(minuteCounts).map((column) => sumOf(column)))
    .where('minute', '>=', from)
    .where('minute', '<', to);
  if (project !== undefined) query = query.where('project_id', '=', toStored(project));
  if (model !== undefined) query = query.where('model', '=', toStored(model));
  const rows = await database.scan(compileOnce(query.groupBy([start, 'duration_range'])));
  return rows.map((row) => ({
    start: row.start,
    range: Number(row.duration_range),
    requests: toCount(row.requests),
    errors: toCount(row.errors),
    inputTokens: toCount(row.input_tokens),
    outputTokens: toCount(row.output_tokens),
    cachedTokens: toCount(row.cached_tokens),
    costMicros: toCount(row.cost_micros),
    firstTokens: toCount(row.first_tokens),
  }));
}

/** Summed by the database: a month of many keys has too many rows for the main thread. */
async function sumDurations(
  database: SqlDatabase,
  db: QueryBuilder,
  { by, from, to, project, keyId, model }: DurationQuery,
): Promise<readonly DurationSum[]> {
  const group = { day: 'day', project: 'project_id', keyId: 'key_id', model: 'model' }[by];
  let query = untyped(db)
    .selectFrom('request_durations')
    .select([sql.ref(group).as('group_value'), 'duration_range'])
    .select([sumOf('requests'), sumOf('first_tokens')])
    .where('day', '>=', from)
    .where('day', '<', to);
  if (project !== undefined) query = query.where('project_id', '=', toStored(project));
  if (keyId !== undefined) query = query.where('key_id', '=', toStored(keyId));
  if (model !== undefined) query = query.where('model', '=', toStored(model));
  const rows = await database.scan(compileOnce(query.groupBy([group, 'duration_range'])));
  return rows.map(({ group_value: value, duration_range: range, requests, first_tokens: firstTokens }) => ({
    group: by === 'day' ? Number(value) : fromStored(String(value) as StoredText),
    range: Number(range),
    requests: toCount(requests),
    firstTokens: toCount(firstTokens),
  }));
}

const keyColumns = ['day', 'project_id', 'key_id', 'model'] as const;

const dailyTexts = { project: 'project_id', keyId: 'key_id', model: 'model' } as const;

type Columns<Name extends string> = Readonly<Record<Name, string>>;

/** Counts by day, project, key and model. `columns`: that of each count. */
function dailyCounts<Count extends string>(
  database: SqlDatabase,
  db: QueryBuilder,
  table: 'usage' | 'request_stats',
  columns: Columns<Count>,
) {
  type Entry = DailyKey & Readonly<Record<Count, number>>;
  const counts = Object.entries<string>(columns) as [Count, string][];
  const builder = untyped(db);
  return {
    add: createAdd(database, db, table, { texts: dailyTexts, numbers: { day: 'day' }, counts: columns }),

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

/** The columns of entries by the names of their fields. Texts and numbers are the key. */
interface EntryColumns<Text extends string, Number extends string, Count extends string> {
  readonly texts: Columns<Text>;
  readonly numbers: Columns<Number>;
  readonly counts: Columns<Count>;
}

/** Adds entries to those of the same key, in one transaction. */
function createAdd<Text extends string, Number extends string, Count extends string>(
  database: SqlDatabase,
  db: QueryBuilder,
  table: 'usage' | 'request_stats' | 'request_durations' | 'request_minutes',
  columns: EntryColumns<Text, Number, Count>,
) {
  type Entry = Readonly<Record<Text, string> & Record<Number | Count, number>>;
  const texts = Object.entries<string>(columns.texts) as [Text, string][];
  const numbers = Object.entries<string>(columns.numbers) as [Number, string][];
  const counts = Object.entries<string>(columns.counts) as [Count, string][];
  const add = statement((slot: Slots<Entry>) =>
    untyped(db)
      .insertInto(table)
      .values({
        ...Object.fromEntries(texts.map(([name, column]) => [column, slot((entry) => toStored(entry[name]))])),
        ...Object.fromEntries(numbers.map(([name, column]) => [column, slot((entry) => entry[name])])),
        ...Object.fromEntries(
          counts.map(([count, column]) => [column, slot((entry) => Math.min(Math.round(entry[count]), maxCount))]),
        ),
      })
      // For a row that exists: its counts with those of the inserted row added, each at most `maxCount`.
      .onConflict((conflict) =>
        conflict
          .columns([...texts, ...numbers].map(([, column]) => column))
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
  /** Rows are written in this order everywhere: replicas that lock the same rows in different orders would deadlock. */
  const inKeyOrder = (a: Entry, b: Entry): number =>
    numbers.reduce((order, [name]) => order || a[name] - b[name], 0) ||
    texts.reduce((order, [name]) => order || compare(a[name], b[name]), 0);
  return async (entries: readonly Entry[]): Promise<void> => {
    if (entries.length > 0) await database.write(entries.toSorted(inKeyOrder).map(add));
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
