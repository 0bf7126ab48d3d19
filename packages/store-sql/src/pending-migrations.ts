import { StoreTooNewError } from './errors.ts';

/** A step from one version of the tables to the next. Its position in the list, from 1, is the new version. */
export interface Migration {
  readonly name: string;
  /** Servers of the previous version use the tables while it runs and afterwards. */
  readonly sql: string;
  /** Why no released version that can still be running uses what the statements remove or restrict. Required if they do. */
  readonly contracts?: string;
}

export type PendingMigration<M extends Migration = Migration> = M & { readonly version: number };

/** Returns the migrations still to apply at version `found`; 0 is an empty database. */
export function pendingMigrations<M extends Migration>(
  migrations: readonly M[],
  found: number,
): readonly PendingMigration<M>[] {
  if (found > migrations.length) throw new StoreTooNewError(found, migrations.length);
  return migrations.map((migration, index) => ({ ...migration, version: index + 1 })).slice(found);
}
