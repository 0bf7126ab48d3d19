import type { Migration } from './pending-migrations.ts';

/** Instead of the bytes of all records, the sum of a project reads those of records that a server of an earlier version stored without them. */
export const unmeasuredIndexMigrations: readonly Migration[] = ['completions', 'responses'].flatMap((table) => [
  {
    name: `index of ${table} without their bytes by project`,
    sql: `create index ${table}_unmeasured_of_project on ${table} (project) where bytes is null;`,
  },
  { name: `drop the index of the bytes of ${table}`, sql: `drop index ${table}_storage;` },
]);
