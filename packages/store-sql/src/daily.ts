import type { DailyKey } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';

const dailyColumns = ['day', 'project', 'key_id', 'model'] as const;

const dailyValues = (slot: Slots<DailyKey>) => ({
  day: slot('day'),
  project: slot(({ project }) => toStored(project)),
  key_id: slot(({ keyId }) => toStored(keyId)),
  model: slot(({ model }) => toStored(model)),
});

interface DailyRow {
  readonly day: number;
  readonly project: StoredText;
  readonly key_id: StoredText;
  readonly model: StoredText;
}

export const dailyKeyOf = ({ day, project, key_id, model }: DailyRow): DailyKey => ({
  day,
  project: fromStored(project),
  keyId: fromStored(key_id),
  model: fromStored(model),
});

type DailyTable = 'usage' | 'request_stats';

/** Selects the rows of days from `from` to before `to`, in the order of their keys. */
export const selectDaily = (db: QueryBuilder, table: DailyTable, from: number, to: number) =>
  db
    .selectFrom(table)
    .select(dailyColumns)
    .where('day', '>=', from)
    .where('day', '<', to)
    .orderBy('day')
    .orderBy('project')
    .orderBy('key_id')
    .orderBy('model');

/** The columns of counts, which every table of daily counts has, and others. */
type Counts = { readonly requests: number } & Readonly<Record<string, number>>;

/** Returns a function that adds counts to those of their day, project, key and model, in one transaction. */
export function dailyWriter<Entry extends DailyKey>(
  database: SqlDatabase,
  db: QueryBuilder,
  table: DailyTable,
  countsOf: (slot: Slots<Entry>) => Counts,
) {
  const sumOf = (column: string) => sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  const add = statement((slot: Slots<Entry>) => {
    const counts = countsOf(slot);
    const sums = Object.fromEntries(Object.keys(counts).map((column) => [column, sumOf(column)]));
    return db
      .insertInto(table)
      .values({ ...dailyValues(slot), ...counts })
      .onConflict((conflict) => conflict.columns(dailyColumns).doUpdateSet(sums));
  });
  return async (entries: readonly Entry[]): Promise<void> => {
    if (entries.length > 0) await database.write(entries.toSorted(inDailyOrder).map(add));
  };
}

/** Rows are written in this order everywhere: replicas that lock the same rows in different orders would deadlock. */
function inDailyOrder(a: DailyKey, b: DailyKey): number {
  return a.day - b.day || compare(a.project, b.project) || compare(a.keyId, b.keyId) || compare(a.model, b.model);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
