/** On average, one in this many inserts merges the counters of its project. Counters that another transaction has locked are skipped. */
const insertsPerMerge = 64;
const mergeCounters = (projects: string): string => `
          if random() < 1.0 / ${insertsPerMerge} then
            with merged as (
              delete from modelwire_storage_counters where seq in (
                select seq from modelwire_storage_counters where project_id in (${projects}) for update skip locked
              )
              returning project_id, bytes
            )
            insert into modelwire_storage_counters (project_id, bytes)
            select project_id, sum(bytes) from merged group by project_id;
          end if;`;

/**
 * A trigger that adds one counter for each statement and project, so that no transaction waits for another.
 *
 * @param rows Selects `project_id` and `bytes` from the rows that change: `added`, `removed`.
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
  const merge = operation === 'insert' ? mergeCounters(`select project_id from (${rows}) as changes`) : '';
  return `
      create function ${name}() returns trigger language plpgsql set search_path from current as $$
        begin
          insert into modelwire_storage_counters (project_id, bytes)
          select project_id, sum(bytes) from (${rows}) as changes group by project_id having sum(bytes) <> 0;${merge}
          return null;${onError}
        end
      $$;
      create trigger ${table}_stored_bytes_${operation} after ${operation} on ${table}
        referencing ${added} ${removed} for each statement execute function ${name}();`;
}

/** Deletes must succeed while the disk is full. The freed bytes are then not subtracted: see `recount_stored_bytes`. */
const ignoreFullDisk = '\n        exception when disk_full then return null;';

/** Counts the column `bytes`. */
const countBytesColumn = (table: string): string =>
  [
    countingTrigger(table, 'insert', 'select project_id, bytes from added'),
    countingTrigger(
      table,
      'update',
      'select project_id, bytes from added union all select project_id, -bytes from removed',
    ),
    countingTrigger(table, 'delete', 'select project_id, -bytes as bytes from removed', { onError: ignoreFullDisk }),
  ].join('');

/** Files are counted by their segments. A file is inserted before its segments, and deleted before them. */
const countFiles = [
  countingTrigger(
    'segments',
    'insert',
    `select files.project_id, added.bytes from added join files on files.id = added.owner_id where added.role = 'file'`,
  ),
  countingTrigger(
    'files',
    'delete',
    `select removed.project_id, -segments.bytes as bytes from removed
            join segments on segments.owner_id = removed.id and segments.role = 'file'`,
    { onError: ignoreFullDisk },
  ),
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
          insert into modelwire_storage_counters (project_id, bytes)
          select project_id, sum(bytes) from (
            select project_id, bytes from completions
            union all select project_id, bytes from responses
            union all select files.project_id, segments.bytes from files
              join segments on segments.owner_id = files.id and segments.role = 'file'
            union all select project_id, -bytes from modelwire_storage_counters
          ) as differences group by project_id having sum(bytes) <> 0;
          get diagnostics corrected = row_count;
          return corrected;
        end
      $$;`;

/** Count what each project stores, also in an import. */
export const storageCounters = `
      create table modelwire_storage_counters (
        seq bigint generated always as identity primary key,
        project_id text collate "C" not null,
        bytes bigint not null
      );
      create index modelwire_storage_counters_of_project on modelwire_storage_counters (project_id);
      ${countBytesColumn('completions')}
      ${countBytesColumn('responses')}
      ${countFiles}
      ${recountFunction}
    `;
