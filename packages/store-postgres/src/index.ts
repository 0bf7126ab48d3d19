export { openPostgresStores } from './postgres-stores.ts';
export type { PostgresStoresOptions, RateLimits } from './options.ts';
export { openPostgresRecordSource } from './transfer/record-source.ts';
export { openPostgresRecordTarget } from './transfer/record-target.ts';
export type { PostgresRecordTargetOptions } from './transfer/record-target.ts';
export { StoreError, StoreTooNewError } from '@modelwire/store-sql/migrations';
export type { StoreErrorInit } from '@modelwire/store-sql/migrations';
