import { sql } from 'kysely';
import type { Insertable, Kysely, RawBuilder, Updateable } from 'kysely';
import { inGroups } from './groups.ts';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { matchesKey } from './record-key.ts';
import type { ById, RecordKey } from './record-key.ts';
import type { Tables } from '../schema/tables.ts';
import { slotRows, slotsOf, statement } from './statement.ts';
import type { Slots, SqlValue, Statement } from './statement.ts';
import type { StoredText } from './text.ts';

type AnyRow = Readonly<Record<string, SqlValue>>;

/** The builder without the types of the tables, for statements on any table: the functions below have types for their callers. */
export const untyped = (db: QueryBuilder) => db as unknown as Kysely<Readonly<Record<string, AnyRow>>>;

/** Creates the statement that inserts a row. Columns that the row does not have get their default. */
export function insertRow<Table extends keyof Tables>(
  db: QueryBuilder,
  table: Table,
): (row: Insertable<Tables[Table]>) => Statement<unknown> {
  const insert = insertStatement(db, table);
  return (row) => insert([row]);
}

/** Creates the statements that insert rows of the same columns: one for each group. */
export function insertRows<Table extends keyof Tables>(
  db: QueryBuilder,
  table: Table,
): (rows: readonly Insertable<Tables[Table]>[]) => Statement<unknown>[] {
  const insert = insertStatement(db, table);
  return (rows) => inGroups(rows).map((group) => insert(group));
}

function insertStatement(db: QueryBuilder, table: string): (rows: readonly object[]) => Statement<unknown> {
  const insert = statement(
    (slot: Slots<readonly AnyRow[]>, rows) =>
      untyped(db)
        .insertInto(table)
        .values(slotRows(slot, rows, (values) => values)),
    (rows) => `${rows.length} ${Object.keys(rows[0] ?? {}).join()}`,
  );
  // The query fails if a value is neither text nor a number nor null.
  return (rows) => insert(rows as readonly AnyRow[]);
}

export interface OldestValues {
  readonly limit: number;
  /** Only for a time that is not by the clock of the database. */
  readonly before?: number;
}

/**
 * Creates the statement that deletes rows whose `time` is before `before`, or has come by the clock of the database, the oldest first. `key`: a
 * column that identifies a row. `isRemovable`: a condition on the row `old`.
 */
export function deleteOldest<Table extends keyof Tables>(
  db: QueryBuilder,
  table: Table,
  {
    key,
    time,
    isByDatabaseClock = false,
    isRemovable = sql<boolean>`true`,
  }: {
    readonly key: keyof Tables[Table] & string;
    readonly time: keyof Tables[Table] & string;
    readonly isByDatabaseClock?: boolean;
    readonly isRemovable?: RawBuilder<boolean>;
  },
): (values: OldestValues) => Statement<unknown> {
  const column = sql.ref(`old.${time}`);
  const name: string = table;
  const id: string = key;
  return statement((slot: Slots<OldestValues>) =>
    untyped(db)
      .deleteFrom(name)
      .where(id, 'in', ({ selectFrom }) =>
        selectFrom(`${name} as old`)
          .select(`old.${id}`)
          .where(
            isByDatabaseClock
              ? sql<boolean>`${column} <= ${databaseClock(db)}`
              : sql<boolean>`${column} < ${slot(({ before = 0 }) => before)}`,
          )
          .where(isRemovable)
          .orderBy(`old.${time}`)
          .limit(slot('limit')),
      )
      .returning(id),
  );
}

/** Creates the statement that sets columns of a record of the administration, and returns a row if it exists. */
export function updateById<Table extends 'budgets' | 'webhooks' | 'webhook_deliveries'>(
  db: QueryBuilder,
  table: Table,
): (id: StoredText, columns: Updateable<Tables[Table]>) => Statement<unknown> {
  const name: string = table;
  const update = statement(
    (slot: Slots<ById & { readonly columns: AnyRow }>, { columns }) =>
      untyped(db)
        .updateTable(name)
        .set(slotsOf(slot, columns, (values) => values.columns))
        .where('id', '=', slot('id'))
        .returning('seq'),
    ({ columns }) => Object.keys(columns).join(),
  );
  return (id, columns) => update({ id, columns: columns as AnyRow });
}

/** Creates the statement that deletes a record, and returns a row if it existed. */
export function deleteRecord(
  db: QueryBuilder,
  table: 'completions' | 'conversations' | 'files' | 'responses' | 'videos',
): (key: RecordKey) => Statement<{ readonly seq: number }> {
  return statement((slot: Slots<RecordKey>) => db.deleteFrom(table).where(matchesKey(slot)).returning('seq'));
}

/** Creates the query for the records of all projects that expired by `now` (Unix seconds), the oldest first. */
export function selectExpired(db: QueryBuilder, table: 'files' | 'videos') {
  return statement((slot: Slots<{ readonly now: number; readonly limit: number }>) =>
    db
      .selectFrom(table)
      .select(['id', 'project_id'])
      .where('expires_at', '<=', slot('now'))
      .orderBy('expires_at')
      .limit(slot('limit')),
  );
}
