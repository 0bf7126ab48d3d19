import { StoreTooNewError } from './errors.ts';

// An entry of its own (`@modelwire/store-sql/migrations`), without the query builder: what opens a database may be a small thread.
export { StoreError, StoreTooNewError, UnmetError } from './errors.ts';
export type { StoreErrorInit } from './errors.ts';

/** A step from one version of the tables to the next. Its place in the list, from 1, is the version it leads to. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export interface PendingMigration extends Migration {
  readonly version: number;
}

/** Those that are left to do at version `found`; 0 is an empty database. */
export function pendingMigrations(migrations: readonly Migration[], found: number): readonly PendingMigration[] {
  if (found > migrations.length) throw new StoreTooNewError(found, migrations.length);
  return migrations.map((one, index) => ({ ...one, version: index + 1 })).slice(found);
}
