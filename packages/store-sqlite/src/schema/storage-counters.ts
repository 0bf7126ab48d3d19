/** Adds bytes to the row of their project. `rows` selects `project_id` and `bytes`. */
const addToCounters = (rows: string): string => `
          insert into modelwire_storage_counters ${rows}
          on conflict (project_id) do update set bytes = bytes + excluded.bytes;`;

/** Counts the column `bytes`. `insert or replace` would not run the trigger of a deletion. */
const countBytesColumn = (table: string): string => `
      create trigger ${table}_stored_bytes_insert after insert on ${table} begin
        ${addToCounters('values (new.project_id, new.bytes)')}
      end;
      create trigger ${table}_stored_bytes_update after update of bytes on ${table} begin
        ${addToCounters('values (new.project_id, new.bytes - old.bytes)')}
      end;
      create trigger ${table}_stored_bytes_delete after delete on ${table} begin
        ${addToCounters('values (old.project_id, -old.bytes)')}
      end;
    `;

/** Files are counted by their segments. A file is inserted before its segments, and deleted before them. */
const countFiles = `
      create trigger segments_stored_bytes_insert after insert on segments when new.role = 'file' begin
        ${addToCounters('select project_id, new.bytes from files where id = new.owner_id')}
      end;
      create trigger files_stored_bytes_delete after delete on files begin
        ${addToCounters(`select old.project_id, -bytes from segments where owner_id = old.id and role = 'file'`)}
      end;
    `;

/** Count what each project stores, also in an import. */
export const storageCounters = `
      create table modelwire_storage_counters (
        project_id text not null primary key,
        bytes integer not null
      ) strict, without rowid;
      ${countBytesColumn('completions')}
      ${countBytesColumn('responses')}
      ${countFiles}
    `;
