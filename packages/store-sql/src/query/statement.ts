import type { Compilable } from 'kysely';

export type SqlValue = string | number | null;

/** Rolls back the transaction when the statement returns another number of rows. */
export interface Expected {
  readonly rows: number;
  /** Describes the condition, for errors. */
  readonly condition: string;
}

/** SQL with parameters, typed with its result rows. */
export interface Statement<Row> {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly expected?: Expected | undefined;
  /** Whether its transaction frees space, so that it runs on a full disk where possible. */
  readonly freesSpace?: boolean | undefined;
  /** The lock that its transaction waits for and holds until it ends: few transactions with the same lock need a connection at once. */
  readonly contendedLock?: string | undefined;
  /** Never set. Carries the row type. */
  readonly row?: Row;
}

/** Placeholder for a value that each call provides. */
class Slot {
  readonly pick: (values: never) => unknown;
  constructor(pick: (values: never) => unknown) {
    this.pick = pick;
  }
}

/** Inserts a placeholder into a query, for a value by its name or for one that is computed: `slot('id')`, `slot((v) => v.id.length)`. */
export interface Slots<Values> {
  <Name extends keyof Values & string>(name: Name): Values[Name];
  <Value extends SqlValue>(pick: (values: Values) => Value): Value;
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** Placeholders for a list of values, by its name. Their number is part of the shape of the query. */
export function slotList<Values, Name extends keyof Values & string>(
  slot: Slots<Values>,
  example: Values,
  name: Name,
): ItemOf<Values[Name]>[] {
  const listOf = (values: Values) => values[name] as readonly SqlValue[];
  const placeholders = listOf(example).map((value, index) => slot((values) => listOf(values)[index] ?? value));
  // The query builder treats the placeholders as the values.
  return placeholders as ItemOf<Values[Name]>[];
}

/** Placeholders for the values of several rows. */
export function slotRows<Values, Row extends object>(
  slot: Slots<Values>,
  example: readonly Row[],
  rowsOf: (values: Values) => readonly Row[],
) {
  return example.map((row, index) => slotsOf(slot, row, (values: Values) => rowsOf(values)[index]));
}

/** Placeholders for the values of a row, by their columns. `rowOf`: the row in the values of a call; default: these values. */
export function slotsOf<Values, Row extends object>(
  slot: Slots<Values>,
  example: Row,
  rowOf: (values: Values) => Row | undefined,
): { readonly [Column in keyof Row]: Row[Column] } {
  const columns = Object.keys(example) as (keyof Row)[];
  const placeholders = columns.map(
    (column) => [column, slot((values) => rowOf(values)?.[column] as SqlValue)] as const,
  );
  // The query builder treats the placeholders as the values.
  return Object.fromEntries(placeholders) as Row;
}

/**
 * A prepared query: built and compiled on first use, once for each shape (the number of values, the order). Later calls only bind values,
 * because building costs about 30 microseconds on the main thread.
 */
export function statement<Values, Row>(
  build: (slot: Slots<Values>, example: Values) => Compilable<Row>,
  shapeOf: (values: Values) => string = () => '',
): (values: Values) => Statement<Row> {
  const compiled = new Map<string, { sql: string; slots: readonly unknown[] }>();
  // The query builder treats the placeholder as the value.
  const slot: Slots<Values> = (value: (keyof Values & string) | ((values: Values) => SqlValue)) =>
    new Slot(typeof value === 'function' ? value : (values: Values) => values[value]) as never;
  return (values) => {
    const shape = shapeOf(values);
    let query = compiled.get(shape);
    if (!query) {
      const { sql, parameters } = build(slot, values).compile();
      compiled.set(shape, (query = { sql, slots: parameters }));
    }
    return { sql: query.sql, parameters: query.slots.map((parameter) => valueOf(parameter, values)) };
  };
}

/** Compiles a query without caching it, for rare queries of many shapes. */
export function compileOnce<Row>(query: Compilable<Row>): Statement<Row> {
  const { sql, parameters } = query.compile();
  return { sql, parameters: parameters.map((parameter) => valueOf(parameter, undefined)) };
}

function valueOf(parameter: unknown, values: unknown): SqlValue {
  const value = parameter instanceof Slot ? parameter.pick(values as never) : parameter;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`A query parameter must be a string, a number or null, not ${typeof value}.`);
}
