export { sqlStores } from './stores.ts';
export type { SqlStoresInit, SqlStoresOptions } from './stores.ts';
export type { RowsOf, SqlDatabase } from './database.ts';
export type { Expected, SqlValue, Statement } from './statement.ts';
export { postgresBuilder, sqliteBuilder } from './query-builder.ts';
export type { QueryBuilder } from './query-builder.ts';
export type { Tables } from './schema/tables.ts';
export { toStored } from './text.ts';
export type { StoredText } from './text.ts';
