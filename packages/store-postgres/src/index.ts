export { openPostgresStores } from './postgres-stores.ts';
export type { PostgresStoresOptions, RateLimits } from './options.ts';
export { openPostgresRecordSource } from './record-source.ts';
export { openPostgresRecordTarget } from './record-target.ts';
export type { PostgresRecordTargetOptions } from './record-target.ts';
export { StoreError, StoreTooNewError } from '@modelwire/store-sql/migrations';
export type { StoreErrorInit } from '@modelwire/store-sql/migrations';
