export { backupSqlite, inspectSqliteCopy } from './backup.ts';
export type { SqliteCopy } from './backup.ts';
export { openSqliteStores } from './sqlite-stores.ts';
export type { SqliteStoresOptions } from './sqlite-stores.ts';
export { openSqliteRecordSource } from './record-source.ts';
export { openSqliteRecordTarget } from './record-target.ts';
export { openMemoryStores } from './memory-stores.ts';
export { StoreError, StoreTooNewError } from '@modelwire/store-sql/migrations';
export type { StoreErrorInit } from '@modelwire/store-sql/migrations';
