import type { Generated, GeneratedAlways } from 'kysely';
import type { StoredText } from '../query/text.ts';
import type { SchemaDialect } from './schema-dialect.ts';

/** A column: its type in a database, and that of its values in queries. */
export interface Column<Value = unknown> {
  readonly type: 'sequence' | 'integer' | 'real' | 'keyText' | 'text';
  /** Follows the type in the definition. */
  readonly constraint: string;
  /** Never set. Carries the type of the values. */
  readonly value?: Value;
}

type Columns = Readonly<Record<string, Column>>;

export interface Table<Described extends Columns = Columns> {
  readonly columns: Described;
  /** Constraints on several columns. */
  readonly constraints?: readonly string[];
  /** By their names: the columns, and the condition of a partial index. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** Whether the table is best stored in the order of its primary key. */
  readonly isClustered?: boolean;
}

/** The row types of tables, for the query builder. */
export type RowsOfTables<Tables extends Readonly<Record<string, Table>>> = {
  readonly [Name in keyof Tables]: {
    readonly [Key in keyof Tables[Name]['columns']]: Tables[Name]['columns'][Key] extends Column<infer Value>
      ? Value
      : never;
  };
};

/** A primary key that the database assigns in the order of insertion. */
export const sequence: Column<GeneratedAlways<number>> = { type: 'sequence', constraint: '' };
export const integer: Column<number> = { type: 'integer', constraint: 'not null' };
export const real: Column<number> = { type: 'real', constraint: 'not null' };
/** Text that the database compares, such as an ID. */
export const key = <Value extends string = StoredText>(constraint = ''): Column<Value> => ({
  type: 'keyText',
  constraint: `not null ${constraint}`,
});
/** Any other text of clients. */
export const text: Column<StoredText> = { type: 'text', constraint: 'not null' };
/** JSON, which escapes what databases reject, and text of our own. */
export const safeText: Column<string> = { type: 'text', constraint: 'not null' };

export const nullable = <Value>({ type }: Column<Value>): Column<Value | null> => ({ type, constraint: '' });
export const withDefault = <Value>({ type, constraint }: Column<Value>, value: string): Column<Generated<Value>> => ({
  type,
  constraint: `${constraint} default ${value}`,
});
/** The `seq` of a row, with which a row is deleted. */
export const partOf = (table: string, constraint = 'not null'): Column<number> => ({
  type: 'integer',
  constraint: `${constraint} references ${table} on delete cascade`,
});
/** The same for a row that may be part of none. */
export const optionalPartOf = (table: string): Column<number | null> => ({
  type: 'integer',
  constraint: `references ${table} on delete cascade`,
});

/** The SQL that creates tables with their indexes. */
export function createTables(tables: Readonly<Record<string, Table>>, dialect: SchemaDialect): string {
  return Object.entries(tables)
    .map(([name, table]) => createTable(name, table, dialect))
    .join('\n');
}

function createTable(
  name: string,
  { columns, constraints = [], indexes = {}, isClustered = false }: Table,
  { heapTable = '', clusteredTable = '', ...types }: SchemaDialect,
): string {
  const lines = Object.entries(columns).map(
    ([column, { type, constraint }]) => `${column} ${type === 'text' ? 'text' : types[type]} ${constraint}`,
  );
  return [
    `create table ${name} (${[...lines, ...constraints].join(', ')}) ${isClustered ? clusteredTable : heapTable};`,
    ...Object.entries(indexes).map(([index, on]) => `create index ${index} on ${name} ${on};`),
  ].join('\n');
}
