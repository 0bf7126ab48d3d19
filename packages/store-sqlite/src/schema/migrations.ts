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

/**
 * The row IDs are in page order. Without the texts, which would be twice the size of the index. A deleted row is marked; its words leave the file
 * when a tenth of their part of the index is deleted. With `secure-delete`, which needs the texts, a deletion took ten times as long.
 */
const completionWords = `
      create virtual table modelwire_completion_words using fts5(words, tokenize = 'ascii', content = '', contentless_delete = 1);
      create trigger completions_words_delete after delete on completions begin
        delete from modelwire_completion_words where rowid = old.created_at << 31 | old.seq;
      end;`;

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
    tombstoneTriggers + storageCounters + completionWords,
  ),
];
