import { sharedMigrations } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';

const tombstoneTriggers = ['completions', 'files', 'videos']
  .map(
    (table) => `
      create trigger ${table}_departed after delete on ${table} begin
        insert or replace into departed
        values ('${table}', old.id, old.project, old.created, old.seq, unixepoch());
      end;`,
  )
  .join('');

export const migrations: readonly Migration[] = sharedMigrations({
  sequence: 'integer primary key',
  integer: 'integer',
  real: 'real',
  keyText: 'text',
  heapTable: 'strict',
  clusteredTable: 'strict, without rowid',
  now: 'unixepoch()',
  tombstoneTriggers,
});
