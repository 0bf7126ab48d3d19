import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { StoreError, importTables, incompleteImportMessage, pendingMigrations } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';

/** Whether tables of the schema are missing or older than this program. @throws {StoreTooNewError} when they are newer. */
export async function hasPendingMigrations(
  client: pg.ClientBase,
  schema: string,
  migrations: readonly Migration[],
): Promise<boolean> {
  return pendingMigrations(migrations, await versionOf(client, schema)).length > 0;
}

/** While a migration waits for the lock of a table, all other statements on the table wait behind it. */
const lockTimeoutMs = 1000;
const pauseMs = 1000;
const maxAttempts = 60;

/**
 * Migrates the tables of a schema, each step in a transaction, while servers of the previous version use them. Of several replicas that
 * start concurrently, one migrates and the others wait. If another transaction holds the lock of a table for longer, or both wait for each other,
 * the step is rolled back and repeated, for about two minutes. `schema` is a plain identifier.
 */
export async function migrate(client: pg.ClientBase, schema: string, migrations: readonly Migration[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      while (await hasPendingMigrations(client, schema, migrations)) await migrateStep(client, schema, migrations);
      return;
    } catch (error) {
      if (!isLockConflict(error) || attempt === maxAttempts) throw error;
      await setTimeout(pauseMs);
    }
  }
}

const lockTimeout = '55P03';
const deadlock = '40P01';

function isLockConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === lockTimeout || error.code === deadlock);
}

/** Runs the next step, in a transaction of its own: locks of tables are not held while a later step builds an index. */
async function migrateStep(client: pg.ClientBase, schema: string, migrations: readonly Migration[]): Promise<void> {
  await client.query('begin');
  try {
    // Other replicas may wait here for the whole migration.
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`modelwire migrations of ${schema}`]);
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    // A user without the right to create schemas can use an existing one.
    const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
    if (rowCount === 0) await client.query(`create schema ${schema}`);
    await client.query(`set local search_path to ${schema}`);
    await client.query(
      `create table if not exists modelwire_migrations (
         version integer primary key, name text not null, applied_at timestamptz not null default now()
       )`,
    );
    // Another replica may have run it meanwhile.
    const [next] = pendingMigrations(migrations, await versionOf(client, schema));
    if (next) {
      await client.query(next.sql);
      await client.query('insert into modelwire_migrations (version, name) values ($1, $2)', [next.version, next.name]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** @throws {StoreError} when an import into the schema has not been completed. */
export async function refuseIncompleteImport(client: pg.ClientBase, schema: string): Promise<void> {
  const table = `${schema}.${importTables.imports}`;
  if (!(await hasTable(client, table))) return;
  const { rowCount } = await client.query(`select from ${table} where completed_at is null`);
  if (rowCount !== 0) throw new StoreError(incompleteImportMessage, { code: 'IMPORT' });
}

async function hasTable(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table]);
  return rows[0]?.found === true;
}

/** The version of the tables of a schema; 0 if there are none. */
export async function versionOf(client: pg.ClientBase, schema: string): Promise<number> {
  const table = `${schema}.modelwire_migrations`;
  if (!(await hasTable(client, table))) return 0;
  const { rows } = await client.query<{ version: number | null }>(`select max(version) as version from ${table}`);
  return rows[0]?.version ?? 0;
}
