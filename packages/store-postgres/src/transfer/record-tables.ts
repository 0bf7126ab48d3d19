import type pg from 'pg';
import { internalTablePrefix, orderByReference } from '@modelwire/store-sql/migrations';
import type { TableDescription } from '@modelwire/store-sql/migrations';

/** A table with the PostgreSQL type of each column, such as `bigint`. */
export interface PostgresTable extends TableDescription {
  readonly types: ReadonlyMap<string, string>;
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Place in the primary key, from 1, or null. */
  readonly key: number | null;
}

/**
 * The tables with records, from the catalog: no list of them has to be maintained. Without unlogged tables, such as the levels of rate
 * limits: they do not outlast a crash either.
 */
export async function recordTables(client: pg.ClientBase, schema: string): Promise<readonly PostgresTable[]> {
  const { rows } = await client.query<ColumnRow>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
       array_position(i.indkey::int2[], a.attnum)::int as key
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_index i on i.indrelid = c.oid and i.indisprimary
     where n.nspname = $1 and c.relkind = 'r' and c.relpersistence = 'p' and not starts_with(c.relname, $2)`,
    [schema, internalTablePrefix],
  );
  const { rows: references } = await client.query<{ readonly table: string; readonly target: string }>(
    `select c.relname as table, t.relname as target
     from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
     join pg_namespace n on n.oid = c.relnamespace
     where f.contype = 'f' and n.nspname = $1`,
    [schema],
  );
  const tables = new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => [name, describeTable(name, columns)]),
  );
  const ordered = orderByReference(
    [...tables.values()],
    new Map(
      [...Map.groupBy(references, ({ table }) => table)].map(([name, found]) => [
        name,
        found.map(({ target }) => target),
      ]),
    ),
  );
  return ordered.flatMap(({ name }) => tables.get(name) ?? []);
}

function describeTable(name: string, columns: readonly ColumnRow[]): PostgresTable {
  return {
    name,
    columns: columns.map(({ column }) => column).toSorted(),
    key: columns
      .filter(({ key }) => key !== null)
      .toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0))
      .map(({ column }) => column),
    types: new Map(columns.map(({ column, type }) => [column, type])),
  };
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** An order that compares the bytes of texts, whatever the collation of the column. */
export function keyOrder({ key, types }: PostgresTable): string {
  return key.map((column) => `"${column}"${types.get(column) === 'text' ? ' collate "C"' : ''}`).join(', ');
}
