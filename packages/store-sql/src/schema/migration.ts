import { StoreTooNewError } from '../database/errors.ts';

/** A step from one version of the tables to the next. Its position in the list, from 1, is the new version. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export type PendingMigration = Migration & { readonly version: number };

/** Returns the migrations still to apply at version `found`; 0 is an empty database. */
export function pendingMigrations(migrations: readonly Migration[], found: number): readonly PendingMigration[] {
  if (found > migrations.length) throw new StoreTooNewError(found, migrations.length);
  return migrations.map((migration, index) => ({ ...migration, version: index + 1 })).slice(found);
}
