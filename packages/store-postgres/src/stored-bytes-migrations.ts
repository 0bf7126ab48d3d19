import type { Migration } from '@modelwire/store-sql/migrations';

/** Of these many insertions, one replaces the counters of its project by their sum. Those that another transaction has locked stay. */
const insertionsPerMerge = 64;
const mergeCounters = (projects: string): string => `
          if random() < 1.0 / ${insertionsPerMerge} then
            with merged as (
              delete from modelwire_storage_counters where seq in (
                select seq from modelwire_storage_counters where project in (${projects}) for update skip locked
              )
              returning project, bytes
            )
            insert into modelwire_storage_counters (project, bytes)
            select project, sum(bytes) from merged group by project;
          end if;`;

/**
 * A trigger that adds one counter for each statement and project, so that no transaction waits for another.
 *
 * @param rows Selects `project` and `bytes` from the rows that change: `added`, `removed`.
 * @param onError What the trigger does when it cannot add its counter.
 */
function countingTrigger(
  table: string,
  operation: 'insert' | 'update' | 'delete',
  rows: string,
  { onError = '' } = {},
): string {
  const name = `count_${table}_${operation}`;
  const added = operation === 'delete' ? '' : 'new table as added';
  const removed = operation === 'insert' ? '' : 'old table as removed';
  const merge = operation === 'insert' ? mergeCounters(`select project from (${rows}) as changes`) : '';
  return `
      create function ${name}() returns trigger language plpgsql set search_path from current as $$
        begin
          insert into modelwire_storage_counters (project, bytes)
          select project, sum(bytes) from (${rows}) as changes group by project having sum(bytes) <> 0;${merge}
          return null;${onError}
        end
      $$;
      create trigger ${table}_stored_bytes_${operation} after ${operation} on ${table}
        referencing ${added} ${removed} for each statement execute function ${name}();`;
}

/** Removals work while the disk is full: what they free is still counted then. */
const ignoreFullDisk = '\n        exception when disk_full then return null;';

const countRows = (rows: string): string => `
      insert into modelwire_storage_counters (project, bytes)
      select project, sum(bytes) from (${rows}) as stored group by project having sum(bytes) <> 0;`;

/** Counts the column `bytes`, which is null in records of an earlier version. */
const countColumn = (table: string): string =>
  [
    countingTrigger(table, 'insert', 'select project, bytes from added'),
    countingTrigger(table, 'update', 'select project, bytes from added union all select project, -bytes from removed'),
    countingTrigger(table, 'delete', 'select project, -bytes as bytes from removed', { onError: ignoreFullDisk }),
    countRows(`select project, bytes from ${table}`),
  ].join('');

/** Files are counted by their segments. All versions insert a file before its segments, and delete it before them. */
const countFiles = [
  countingTrigger(
    'segments',
    'insert',
    `select files.project, added.bytes from added join files on files.id = added.owner where added.role = 'file'`,
  ),
  countingTrigger(
    'files',
    'delete',
    `select removed.project, -segments.bytes as bytes from removed
            join segments on segments.owner = removed.id and segments.role = 'file'`,
    { onError: ignoreFullDisk },
  ),
  countRows(`
        select files.project, segments.bytes from files
        join segments on segments.owner = files.id and segments.role = 'file'`),
].join('');

/**
 * Count what each project stores. The triggers also count what servers of an earlier version store, and come first: they lock the table until
 * its rows have been counted. No migration locks more tables than it counts.
 */
export const storedBytesMigrations: readonly Migration[] = [
  {
    name: 'stored bytes of completions by project',
    sql: `
      create table modelwire_storage_counters (
        seq bigint generated always as identity primary key,
        project text collate "C" not null,
        bytes bigint not null
      );
      create index modelwire_storage_counters_of_project on modelwire_storage_counters (project);
      ${countColumn('completions')}
    `,
  },
  { name: 'stored bytes of responses by project', sql: countColumn('responses') },
  { name: 'stored bytes of files by project', sql: countFiles },
  { name: 'without the index of the bytes of completions', sql: 'drop index completions_storage;' },
  { name: 'without the index of the bytes of responses', sql: 'drop index responses_storage;' },
];
