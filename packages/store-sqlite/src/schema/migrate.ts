import type { DatabaseSync } from 'node:sqlite';
import {
  StoreError,
  importTables,
  incompleteImportMessage,
  olderTablesMessage,
  pendingMigrations,
} from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';

/**
 * Migrates the tables, all steps or none. Of several processes that open the file concurrently, one migrates and the others
 * wait.
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[]): void {
  if (pendingMigrations(migrations, versionOf(db)).length === 0) return;
  db.exec('begin exclusive');
  try {
    db.exec(
      `create table if not exists modelwire_migrations (
         version integer primary key, name text not null, applied_at text not null
       ) strict`,
    );
    const record = db.prepare('insert into modelwire_migrations (version, name, applied_at) values (?, ?, ?)');
    for (const { version, name, sql } of pendingMigrations(migrations, versionOf(db))) {
      db.exec(sql);
      record.run(version, name, new Date().toISOString());
    }
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** @throws {StoreError} when the tables are older than this program. @throws {StoreTooNewError} when they are newer. */
export function requireCurrentTables(db: DatabaseSync, migrations: readonly Migration[]): void {
  const version = versionOf(db);
  if (pendingMigrations(migrations, version).length > 0)
    throw new StoreError(olderTablesMessage(version, migrations.length), { code: 'VERSION' });
}

/** @throws {StoreError} when an import into the database has not been completed. */
export function refuseIncompleteImport(db: DatabaseSync): void {
  if (!hasTable(db, importTables.imports)) return;
  const isIncomplete =
    db.prepare(`select 1 from ${importTables.imports} where completed_at is null`).get() !== undefined;
  if (isIncomplete) throw new StoreError(incompleteImportMessage, { code: 'IMPORT' });
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined;
}

function versionOf(db: DatabaseSync): number {
  if (!hasTable(db, 'modelwire_migrations')) return 0;
  const version = db.prepare('select max(version) as version from modelwire_migrations').get()?.['version'];
  return typeof version === 'number' ? version : 0;
}
