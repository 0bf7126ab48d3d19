import type { SqlValue } from './statement.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';

/** How a field of a record is stored in a column. */
export interface Field<Column extends string, Value, Stored> {
  readonly column: Column;
  store(value: Value): Stored;
  load(stored: Stored): Value;
}

/** A field in one of the columns of a row. */
type FieldOf<Row, Value> = { [Column in keyof Row & string]: Field<Column, Value, Row[Column]> }[keyof Row & string];

type FieldsOf<Row, Described> = { readonly [Name in keyof Described]-?: FieldOf<Row, Described[Name]> };

/** Converts records to rows and back. */
export interface RecordCodec<Row, Described> {
  readonly columns: readonly (keyof Row & string)[];
  toRow(record: Described): Row;
  /** The columns of the fields that are not undefined. */
  changesOf(record: Partial<Described>): Partial<Row>;
  fromRow(row: Row): Described;
}

export function recordCodec<Row extends object, Described extends object>() {
  return <const Fields extends FieldsOf<Row, Described>>(
    fields: Fields,
  ): RecordCodec<Pick<Row, Fields[keyof Described]['column'] & keyof Row>, Described> => {
    type Stored = Pick<Row, Fields[keyof Described]['column'] & keyof Row>;
    // The types of the parameters allow only values that match.
    const entries = Object.entries(fields) as [string, Field<keyof Stored & string, unknown, unknown>][];
    const store = (record: object) => {
      const values = new Map<string, unknown>(Object.entries(record));
      const given = entries.filter(([name]) => values.get(name) !== undefined);
      return Object.fromEntries(given.map(([name, field]) => [field.column, field.store(values.get(name))]));
    };
    return {
      columns: entries.map(([, { column }]) => column),
      toRow: (record) => store(record) as Stored,
      changesOf: (record) => store(record) as Partial<Stored>,
      fromRow: (row) =>
        Object.fromEntries(entries.map(([name, field]) => [name, field.load(row[field.column])])) as Described,
    };
  };
}

const identity = <Value>(value: Value): Value => value;

/** A value that is stored as it is. */
export const plain = <const Column extends string>(column: Column) => ({ column, store: identity, load: identity });

/** Text of clients. */
export const text = <const Column extends string>(column: Column): Field<Column, string, StoredText> => ({
  column,
  store: toStored,
  load: fromStored,
});

export const flag = <const Column extends string>(column: Column): Field<Column, boolean, number> => ({
  column,
  store: Number,
  load: (stored) => stored === 1,
});

export const nullable = <Column extends string, Value, Stored extends SqlValue>({
  column,
  store,
  load,
}: Field<Column, Value, Stored>): Field<Column, Value | null, Stored | null> => ({
  column,
  store: (value) => (value === null ? null : store(value)),
  load: (stored) => (stored === null ? null : load(stored)),
});
