// A separate entry point (`@modelwire/store-sql/migrations`) without the query builder, for the thread that opens a database.
export { StoreError, StoreTooNewError, UnmetError } from './database/errors.ts';
export type { StoreErrorInit } from './database/errors.ts';
export {
  decideImport,
  importTables,
  incompleteImportMessage,
  internalTablePrefix,
  olderTablesMessage,
  orderByReference,
} from './record-transfer.ts';
export type { ImportTargetState, RecordSource, RecordTarget, TableDescription, TableRow } from './record-transfer.ts';
export { importedWords } from './completions/imported-words.ts';
export { postgresSearch, sqliteSearch } from './completions/search-index.ts';
export { baseline } from './schema/baseline.ts';
export { pendingMigrations } from './schema/migration.ts';
export type { Migration, PendingMigration } from './schema/migration.ts';
export type { SchemaDialect } from './schema/schema-dialect.ts';
