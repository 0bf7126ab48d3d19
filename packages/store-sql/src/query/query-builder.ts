import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { sql } from 'kysely';
import type { Dialect, RawBuilder, SelectModifierNode } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** Compiles typed SQL without running it: each store runs it in its own way. */
export type QueryBuilder = Kysely<Tables>;

/** SQLite has one writer at a time and no row locks: ignores `for update`. */
class UnlockedSqliteQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier || !['ForUpdate', 'SkipLocked'].includes(node.modifier)) super.visitSelectModifier(node);
  }
}

const queryBuilder = (dialect: Omit<Dialect, 'createDriver'>): QueryBuilder =>
  new Kysely<Tables>({ dialect: { ...dialect, createDriver: () => new DummyDriver() } });

export const sqliteBuilder = (): QueryBuilder =>
  queryBuilder({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new UnlockedSqliteQueryCompiler(),
  });

/** `schema`: the PostgreSQL schema of the tables. */
export const postgresBuilder = (schema: string): QueryBuilder =>
  queryBuilder({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }).withSchema(schema);

export const isPostgres = (db: QueryBuilder): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** The database's clock in Unix milliseconds: equal for all servers, and constant within a statement, so that an index can be used. */
export function databaseClock(db: QueryBuilder): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`;
}
