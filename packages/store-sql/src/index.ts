export { sqlStores } from './stores.ts';
export type { SqlStoresInit, SqlStoresOptions } from './stores.ts';
export type { RowsOf, SqlDatabase } from './database/database.ts';
export type { Expected, SqlValue, Statement } from './query/statement.ts';
export { postgresBuilder, sqliteBuilder } from './query/query-builder.ts';
export type { QueryBuilder } from './query/query-builder.ts';
export type { Tables } from './schema/tables.ts';
export { toStored } from './query/text.ts';
export type { StoredText } from './query/text.ts';
