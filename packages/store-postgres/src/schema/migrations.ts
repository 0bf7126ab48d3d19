import { baseline } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';
import { storageCounters } from './storage-counters.ts';

/**
 * Sessions have no search path to the schema. On a full disk the tombstone of a removed record is not stored: a list cannot resume after it, but
 * records can be removed.
 */
const tombstoneFunction = `
      create function store_tombstones() returns trigger language plpgsql set search_path from current as $$
        begin
          insert into tombstones (list, id, project_id, created_at, seq, deleted_at)
          select tg_table_name, id, project_id, created_at, seq, extract(epoch from now())::bigint from removed
          on conflict (list, id) do update
          set project_id = excluded.project_id, created_at = excluded.created_at, seq = excluded.seq,
            deleted_at = excluded.deleted_at;
          return null;
        exception when disk_full then return null;
        end
      $$;`;

const tombstoneTriggers = ['completions', 'files', 'videos']
  .map(
    (table) => `
      create trigger ${table}_tombstones after delete on ${table}
        referencing old table as removed for each statement execute function store_tombstones();`,
  )
  .join('');

// Not logged: a limit need not outlast a crash, and a request must not wait for a disk write to be admitted.
const rateLimits = `
      create unlogged table rate_limits (
        bucket text collate "C" primary key,
        capacity double precision not null,
        level double precision not null,
        updated_at_ms double precision not null
      ) with (fillfactor = 50);`;

const completionWords = `
      create table modelwire_completion_words (
        completion_seq bigint primary key references completions on delete cascade,
        created_at bigint not null,
        words tsvector not null
      );
      create index modelwire_completion_words_page on modelwire_completion_words (created_at, completion_seq);
      create index modelwire_completion_words_search on modelwire_completion_words using gin (words);`;

/** Run with the schema as search path. Once released, a migration is never changed, moved or removed: databases have run it. */
export const migrations: readonly Migration[] = [
  baseline(
    {
      sequence: 'bigint generated always as identity primary key',
      integer: 'bigint',
      real: 'double precision',
      // Comparing bytes is faster, and the same on every server.
      keyText: 'text collate "C"',
    },
    tombstoneFunction + tombstoneTriggers + rateLimits + storageCounters + completionWords,
  ),
];
