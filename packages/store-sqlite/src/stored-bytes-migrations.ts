import { unmeasuredIndexMigrations } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';

/** Adds bytes to the row of their project in `modelwire_storage_counters`. `rows` selects `project` and `bytes`. */
const addToCounters = (rows: string): string => `
          insert into modelwire_storage_counters ${rows}
          on conflict (project) do update set bytes = bytes + excluded.bytes;`;

/** Counts the column `bytes`, which is null in records of an earlier version. `insert or replace` would not run the trigger of a deletion. */
const countBytesColumn = (table: string): string => `
      create trigger ${table}_stored_bytes_insert after insert on ${table} when new.bytes is not null begin
        ${addToCounters('values (new.project, new.bytes)')}
      end;
      create trigger ${table}_stored_bytes_update after update of bytes on ${table} begin
        ${addToCounters('values (new.project, coalesce(new.bytes, 0) - coalesce(old.bytes, 0))')}
      end;
      create trigger ${table}_stored_bytes_delete after delete on ${table} when old.bytes is not null begin
        ${addToCounters('values (old.project, -old.bytes)')}
      end;
      ${addToCounters(`select project, sum(bytes) from ${table} where bytes is not null group by project`)}
    `;

/** Files are counted by their segments. All versions insert a file before its segments, and delete it before them. */
const countFiles = `
      create trigger segments_stored_bytes_insert after insert on segments when new.role = 'file' begin
        ${addToCounters('select project, new.bytes from files where id = new.owner')}
      end;
      create trigger files_stored_bytes_delete after delete on files begin
        ${addToCounters(`select old.project, -bytes from segments where owner = old.id and role = 'file'`)}
      end;
      ${addToCounters(`select project, sum(bytes) from files join segments on owner = id where role = 'file' group by project`)}
    `;

/** Count what each project stores. The triggers also count what servers of an earlier version store. */
export const storedBytesMigrations: readonly Migration[] = [
  {
    name: 'stored bytes of completions by project',
    sql: `
      create table modelwire_storage_counters (
        project text not null primary key,
        bytes integer not null
      ) strict, without rowid;
      ${countBytesColumn('completions')}
    `,
  },
  { name: 'stored bytes of responses by project', sql: countBytesColumn('responses') },
  { name: 'stored bytes of files by project', sql: countFiles },
  ...unmeasuredIndexMigrations,
];
