import type { Compilable } from 'kysely';

export type SqlValue = string | number | null;

/** What must come of a statement: with another number of rows, its whole unit is undone. */
export interface Expected {
  readonly rows: number;
  /** What it is that does not hold then. */
  readonly condition: string;
}

/** SQL to be run, whose result has rows of this form. */
export interface Statement<Row> {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** Makes its unit depend on it. */
  readonly expected?: Expected | undefined;
  /** Whether its unit frees space, and so is carried out on a full disk where that is possible. */
  readonly freesSpace?: boolean | undefined;
  /** Never there: it carries the type. */
  readonly row?: Row;
}

/** Stands in a query for a value that comes with each call. */
class Slot {
  readonly pick: (values: never) => unknown;
  constructor(pick: (values: never) => unknown) {
    this.pick = pick;
  }
}

/** Puts a value of the call into a query: `slot((values) => values.id)`. */
export type Slots<Values> = <Value extends SqlValue>(pick: (values: Values) => Value) => Value;

/**
 * A query that is built and compiled at its first use, and once more for each shape (how many values of a kind, which order). Later
 * calls only put the values in: building costs some 30 microseconds of the thread that serves streams.
 */
export function statement<Values, Row>(
  build: (slot: Slots<Values>, like: Values) => Compilable<Row>,
  shapeOf: (values: Values) => string = () => '',
): (values: Values) => Statement<Row> {
  const compiled = new Map<string, { sql: string; slots: readonly unknown[] }>();
  // The query builder takes it for the value that will be there: the one place where it is not.
  const slot: Slots<Values> = (pick) => new Slot(pick) as unknown as ReturnType<typeof pick>;
  return (values) => {
    const shape = shapeOf(values);
    let found = compiled.get(shape);
    if (!found) {
      const { sql, parameters } = build(slot, values).compile();
      compiled.set(shape, (found = { sql, slots: parameters }));
    }
    return { sql: found.sql, parameters: found.slots.map((one) => valueOf(one, values)) };
  };
}

/** A query that is built anew for each call, for those that are rare and of many shapes. */
export function once<Row>(query: Compilable<Row>): Statement<Row> {
  const { sql, parameters } = query.compile();
  return { sql, parameters: parameters.map((one) => valueOf(one, undefined)) };
}

function valueOf(parameter: unknown, values: unknown): SqlValue {
  const value = parameter instanceof Slot ? parameter.pick(values as never) : parameter;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`a query takes texts, numbers and null, not ${typeof value}`);
}
