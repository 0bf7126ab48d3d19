import { administrationTables } from './administration-tables.ts';
import { createTables } from './columns.ts';
import type { Migration } from './migration.ts';
import { recordTables } from './record-tables.ts';
import type { SchemaDialect } from './schema-dialect.ts';

/**
 * Version 1 of every database: the tables of all stores and what the dialect adds. Once it is released it never changes: a change of the tables
 * is a migration after it.
 *
 * A dialect adds triggers:
 * - one for each of `completions`, `files` and `videos` that copies `id`, `project_id`, `created_at` and `seq` of deleted rows to `tombstones` in
 *   the same commit, with the name of the table as `list` and the time as `deleted_at`, replacing a row with the same `list` and `id`. So a list
 *   can resume after a deleted record.
 * - those that keep the sum of `modelwire_storage_counters`, a table of the dialect, at the bytes that each project stores.
 */
export function baseline(dialect: SchemaDialect, additions: string): Migration {
  const tables = { ...recordTables, ...administrationTables };
  return { name: 'baseline', sql: createTables(tables, dialect) + additions };
}
