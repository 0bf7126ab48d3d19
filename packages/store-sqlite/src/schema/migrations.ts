import { baseline } from '@modelwire/store-sql/migrations';
import type { Migration } from '@modelwire/store-sql/migrations';
import { storageCounters } from './storage-counters.ts';

const tombstoneTriggers = ['completions', 'files', 'videos']
  .map(
    (table) => `
      create trigger ${table}_tombstones after delete on ${table} begin
        insert or replace into tombstones (list, id, project_id, created_at, seq, deleted_at)
        values ('${table}', old.id, old.project_id, old.created_at, old.seq, unixepoch());
      end;`,
  )
  .join('');

/** Once released, a migration is never changed, moved or removed: databases have run it. */
export const migrations: readonly Migration[] = [
  baseline(
    {
      sequence: 'integer primary key',
      integer: 'integer',
      real: 'real',
      keyText: 'text',
      heapTable: 'strict',
      clusteredTable: 'strict, without rowid',
    },
    tombstoneTriggers + storageCounters,
  ),
];
