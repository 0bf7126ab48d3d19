import { sharedMigrations } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';
import { storedBytesMigrations } from './stored-bytes-migrations.ts';

export interface SqliteMigration extends Migration {
  /** A query for statements, in its column `sql`, that depend on what the database contains. They run before those of `sql`. */
  readonly generate?: string;
}

const deletedFrom = ['completions', 'files', 'videos'];

const tombstoneTriggers = (create = 'create trigger') =>
  deletedFrom
    .map(
      (table) => `
      ${create} ${table}_tombstones after delete on ${table} begin
        insert or replace into tombstones
        values ('${table}', old.id, old.project, old.created, old.seq, unixepoch());
      end;`,
    )
    .join('');

/** The table is recognized by its columns. SQLite cannot rename an index or a trigger: both are created again. */
const renameTombstones: SqliteMigration = {
  name: 'tombstones have their name',
  contracts: 'Only development builds used the former names.',
  generate: `
      with former as (
        select name from sqlite_schema as t where type = 'table' and (
          select group_concat(name, ' ' order by name) from pragma_table_info(t.name)
        ) = 'created gone id list project seq'
      )
      ${deletedFrom.map((table) => `select format('drop trigger "${table}_%w"', name) as sql from former union all`).join('\n      ')}
      select format('drop index "%w_age"', name) from former union all
      select format('alter table "%w" rename column gone to deleted', name) from former union all
      select format('alter table "%w" rename to tombstones', name) from former
    `,
  sql: `
      create index if not exists tombstones_age on tombstones (deleted);
      ${tombstoneTriggers('create trigger if not exists')}
    `,
};

const shared = sharedMigrations({
  sequence: 'integer primary key',
  integer: 'integer',
  real: 'real',
  keyText: 'text',
  heapTable: 'strict',
  clusteredTable: 'strict, without rowid',
  now: 'unixepoch()',
  tombstoneTriggers: tombstoneTriggers(),
});

export const migrations: readonly SqliteMigration[] = shared.flatMap((step) =>
  step.name === 'index of due jobs by project' ? [step, renameTombstones, ...storedBytesMigrations] : [step],
);
