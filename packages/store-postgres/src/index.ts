export { openPostgresStores } from './postgres-stores.ts';
export type { PostgresStoresOptions, RateLimits } from './options.ts';
export { StoreError, StoreTooNewError } from '@modelwire/store-sql/migrations';
export type { StoreErrorInit } from '@modelwire/store-sql/migrations';
