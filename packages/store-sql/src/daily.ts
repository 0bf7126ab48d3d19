import type { DailyKey } from '@modelwire/ports';
import { sql } from 'kysely';
import type { AliasedRawBuilder } from 'kysely';
import type { SqlDatabase } from './database.ts';
import type { Slots, Statement } from './statement.ts';
import type { Tables } from './tables.ts';
import { saturate } from './saturate.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';

export const dailyColumns = ['day', 'project', 'key_id', 'model'] as const;

export const dailyValues = (slot: Slots<DailyKey>) => ({
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

/** For a row that exists: its counts with those of the inserted row added, each at most `maxCount`. */
export function addedCounts<Table extends 'usage' | 'request_stats'>(
  table: Table,
  columns: readonly Exclude<keyof Tables[Table] & string, (typeof dailyColumns)[number]>[],
) {
  const sumOf = (column: string) =>
    saturate(sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`);
  return Object.fromEntries(columns.map((column) => [column, sumOf(column)]));
}

/** A column of counts. A count above `maxCount`, which another program may have written, must not make the others unreadable. */
export function readableCount<Column extends string>(column: Column): AliasedRawBuilder<number, Column> {
  return saturate(sql.ref<number>(column)).as(column);
}

/** Returns a function that writes entries in one transaction. */
export function dailyWriter<Entry extends DailyKey>(database: SqlDatabase, add: (entry: Entry) => Statement<unknown>) {
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
