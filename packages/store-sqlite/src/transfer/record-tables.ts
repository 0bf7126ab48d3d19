import type { DatabaseSync } from 'node:sqlite';
import { internalTablePrefix, orderByReference } from '@modelwire/store-sql/migrations';
import type { TableDescription } from '@modelwire/store-sql/migrations';

/** The tables with records, from the schema of the database: no list of them has to be maintained. */
export function recordTables(db: DatabaseSync): readonly TableDescription[] {
  const names = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith(internalTablePrefix));
  const references = new Map(
    names.map((name) => [
      name,
      db
        .prepare('select "table" as target from pragma_foreign_key_list(?)')
        .all(name)
        .map(({ target }) => String(target)),
    ]),
  );
  return orderByReference(
    names.map((name) => describeTable(db, name)),
    references,
  );
}

function describeTable(db: DatabaseSync, name: string): TableDescription {
  const columns = db.prepare('select name, pk from pragma_table_info(?) order by pk').all(name);
  return {
    name,
    columns: columns.map((column) => String(column['name'])).toSorted(),
    key: columns.filter(({ pk }) => Number(pk) > 0).map((column) => String(column['name'])),
  };
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
