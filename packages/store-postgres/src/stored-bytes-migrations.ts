import { unmeasuredIndexMigrations } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';

/** On average, one in this many inserts merges the counters of its project. Counters that another transaction has locked are skipped. */
const insertsPerMerge = 64;
const mergeCounters = (projects: string): string => `
          if random() < 1.0 / ${insertsPerMerge} then
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

/** Deletes must succeed while the disk is full. The freed bytes are then not subtracted: see `recount_stored_bytes`. */
const ignoreFullDisk = '\n        exception when disk_full then return null;';

const insertInitialCounters = (rows: string): string => `
      insert into modelwire_storage_counters (project, bytes)
      select project, sum(bytes) from (${rows}) as stored group by project having sum(bytes) <> 0;`;

/** Counts the column `bytes`, which is null in records of an earlier version. */
const countBytesColumn = (table: string): string =>
  [
    countingTrigger(table, 'insert', 'select project, bytes from added'),
    countingTrigger(table, 'update', 'select project, bytes from added union all select project, -bytes from removed'),
    countingTrigger(table, 'delete', 'select project, -bytes as bytes from removed', { onError: ignoreFullDisk }),
    insertInitialCounters(`select project, bytes from ${table}`),
  ].join('');

/**
 * Files are counted by their segments. All versions write to `files` before `segments`, which are therefore locked in this order, and so a trigger
 * finds the file of a new segment and the segments of a deleted file.
 */
const countFiles = [
  `
      lock table files, segments in share row exclusive mode;`,
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
  insertInitialCounters(`
        select files.project, segments.bytes from files
        join segments on segments.owner = files.id and segments.role = 'file'`),
].join('');

/**
 * Corrects the counters, and returns of how many projects. A statement sees records and counters as they were at one moment, so writes can
 * continue meanwhile.
 */
const recountFunction = `
      create function recount_stored_bytes() returns bigint language plpgsql set search_path from current as $$
        declare
          corrected bigint;
        begin
          perform pg_advisory_xact_lock(hashtextextended(current_schema() || ' recount_stored_bytes', 0));
          insert into modelwire_storage_counters (project, bytes)
          select project, sum(bytes) from (
            select project, bytes from completions
            union all select project, bytes from responses
            union all select files.project, segments.bytes from files
              join segments on segments.owner = files.id and segments.role = 'file'
            union all select project, -bytes from modelwire_storage_counters
          ) as differences group by project having sum(bytes) <> 0;
          get diagnostics corrected = row_count;
          return corrected;
        end
      $$;`;

/**
 * Count what each project stores. The triggers also count what servers of an earlier version store, and come first: they lock the table until
 * its rows have been counted.
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
      ${countBytesColumn('completions')}
    `,
  },
  { name: 'stored bytes of responses by project', sql: countBytesColumn('responses') },
  { name: 'stored bytes of files by project', sql: countFiles + recountFunction },
  ...unmeasuredIndexMigrations,
];
