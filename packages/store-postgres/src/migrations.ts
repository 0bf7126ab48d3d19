import { sharedMigrations } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';
import { storedBytesMigrations } from './stored-bytes-migrations.ts';

const now = 'extract(epoch from now())::bigint';

/** `onError`: what the function does when it cannot store the tombstones. Sessions have no search path to the schema. */
const tombstoneFunction = (onError = '') => `
      function store_tombstones() returns trigger language plpgsql set search_path from current as $$
        begin
          insert into tombstones
          select tg_table_name, id, project, created, seq, ${now} from removed
          on conflict (list, id) do update
          set project = excluded.project, created = excluded.created, seq = excluded.seq, deleted = excluded.deleted;
          return null;${onError}
        end
      $$;`;

const tombstoneTriggers = ['completions', 'files', 'videos']
  .map(
    (table) => `
      create trigger ${table}_tombstones after delete on ${table}
        referencing old table as removed for each statement execute function store_tombstones();`,
  )
  .join('');

const shared = sharedMigrations({
  sequence: 'bigint generated always as identity primary key',
  integer: 'bigint',
  real: 'double precision',
  // Comparing bytes is faster, and the same on every server.
  keyText: 'text collate "C"',
  now,
  tombstoneTriggers: `create ${tombstoneFunction()}${tombstoneTriggers}`,
  // The lock that a new column needs blocks reading, building an index only writing.
  buildsIndexesSeparately: true,
});

// Not logged: a limit need not outlast a crash, and a request must not wait for a disk write to be admitted.
const rateLimits = `
      create unlogged table rate_limits (
        name text collate "C" primary key,
        capacity double precision not null,
        level double precision not null,
        updated double precision not null
      ) with (fillfactor = 50);
    `;

const removalOnFullDisk: Migration = {
  name: 'records can be removed while the disk is full',
  // On a full disk the tombstone of a removed record is not stored: a list cannot resume after it.
  sql: `create or replace ${tombstoneFunction('\n        exception when disk_full then return null;')}`,
};

/** The table is recognized by its columns. */
const renameTombstones: Migration = {
  name: 'tombstones have their name',
  contracts: 'Only development builds used the former names.',
  sql: `
      ${removalOnFullDisk.sql}
      do $$
        declare
          former name := (
            select c.relname from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
            group by c.oid
            having string_agg(a.attname, ' ' order by a.attname) = 'created gone id list project seq'
          );
        begin
          if former is null then return; end if;
          execute format('alter table %I rename to tombstones', former);
          alter table tombstones rename column gone to deleted;
          execute format('alter index %I rename to tombstones_pkey', former || '_pkey');
          execute format('alter index %I rename to tombstones_age', former || '_age');
          execute format('drop function %I cascade', 'remember_' || former);${tombstoneTriggers}
        end
      $$;
    `,
};

/** Runs with the schema as search path. */
export const migrations: readonly Migration[] = shared.flatMap((step, index) => {
  if (index === 0) return [{ name: `${step.name}, rate limits`, sql: step.sql + rateLimits }];
  if (step.name === 'jobs have a status') return [step, removalOnFullDisk];
  return step.name === 'index of due jobs by project' ? [step, renameTombstones, ...storedBytesMigrations] : [step];
});
