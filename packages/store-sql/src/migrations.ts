// A separate entry point (`@modelwire/store-sql/migrations`) without the query builder, for the thread that opens a database.
export { StoreError, StoreTooNewError, UnmetError } from './errors.ts';
export type { StoreErrorInit } from './errors.ts';
export { contractingStatements } from './contracting-statements.ts';
export {
  decideImport,
  importTables,
  incompleteImportMessage,
  internalTablePrefix,
  olderTablesMessage,
  orderByReference,
} from './record-transfer.ts';
export { sharedMigrations } from './shared-migrations.ts';
export type { MigrationDialect } from './shared-migrations.ts';
export type { ImportTargetState, RecordSource, RecordTarget, TableDescription, TableRow } from './record-transfer.ts';
export { pendingMigrations } from './pending-migrations.ts';
export type { Migration, PendingMigration } from './pending-migrations.ts';
export { unmeasuredIndexMigrations } from './unmeasured-index-migrations.ts';
