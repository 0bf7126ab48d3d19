import { sharedMigrations } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';

const now = 'extract(epoch from now())::bigint';

/** `onError`: what the function does when it cannot store the tombstones. Sessions have no search path to the schema. */
const tombstoneFunction = (onError = '') => `
      function remember_departed() returns trigger language plpgsql set search_path from current as $$
        begin
          insert into departed
          select tg_table_name, id, project, created, seq, ${now} from removed
          on conflict (list, id) do update
          set project = excluded.project, created = excluded.created, seq = excluded.seq, gone = excluded.gone;
          return null;${onError}
        end
      $$;`;

const tombstoneTriggers = ['completions', 'files', 'videos']
  .map(
    (table) => `
      create trigger ${table}_departed after delete on ${table}
        referencing old table as removed for each statement execute function remember_departed();`,
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

/** Runs with the schema as search path. */
export const migrations: readonly Migration[] = shared.flatMap((step, index) => {
  if (index === 0) return [{ name: `${step.name}, rate limits`, sql: step.sql + rateLimits }];
  return step.name === 'jobs have a status' ? [step, removalOnFullDisk] : [step];
});
