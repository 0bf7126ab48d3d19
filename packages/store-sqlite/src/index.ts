export { openSqliteStores } from './sqlite-stores.ts';
export type { SqliteStoresOptions } from './sqlite-stores.ts';
export { openMemoryStores } from './memory-stores.ts';
export { StoreError, StoreTooNewError } from '@modelwire/store-sql/migrations';
export type { StoreErrorInit } from '@modelwire/store-sql/migrations';
