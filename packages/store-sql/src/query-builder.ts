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
import type { RawBuilder, SelectModifierNode } from 'kysely';
import type { Tables } from './tables.ts';

/** Compiles typed SQL without running it: each store runs it in its own way. */
export type QueryBuilder = Kysely<Tables>;

/** SQLite has one writer at a time and no row locks: ignores `for update`. */
class UnlockedSqliteQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier || !['ForUpdate', 'SkipLocked'].includes(node.modifier)) super.visitSelectModifier(node);
  }
}

export function sqliteBuilder(): QueryBuilder {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new UnlockedSqliteQueryCompiler(),
    },
  });
}

/** `schema`: the PostgreSQL schema of the tables. */
export function postgresBuilder(schema: string): QueryBuilder {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }).withSchema(schema);
}

/** The database's clock in Unix milliseconds: equal for all servers, and constant within a statement, so that an index can be used. */
export function databaseClock(db: QueryBuilder): RawBuilder<number> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`;
}
