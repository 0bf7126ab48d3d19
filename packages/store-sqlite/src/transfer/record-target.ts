import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreError, decideImport, importTables, importedWords, sqliteSearch } from '@modelwire/store-sql/migrations';
import type { RecordTarget, TableDescription } from '@modelwire/store-sql/migrations';
import { openWritableDatabase } from '../file/connection.ts';
import { toStoreError } from '../file/failure.ts';
import { quoted, recordTables } from './record-tables.ts';

/**
 * Opens a database, which is created if missing, to import the export `id`, or to resume that. The caller ensures that no server uses the
 * database.
 *
 * @throws {StoreError} when the database has records that are not of this export.
 * @throws {StoreTooNewError} when its tables are of a newer version.
 */
export function openSqliteRecordTarget({ path, id }: { readonly path: string; readonly id: string }): RecordTarget {
  const db = openWritableDatabase({ path, busyTimeoutMs: 5000 });
  try {
    const tables = recordTables(db);
    return recordTarget(db, tables, { id, isComplete: beginImport(db, tables, id) });
  } catch (error) {
    db.close();
    throw toStoreError(error);
  }
}

/** Returns whether the import is complete. */
function beginImport(db: DatabaseSync, tables: readonly TableDescription[], id: string): boolean {
  db.exec(`
    create table if not exists ${importTables.imports} (export_id text not null primary key, completed_at text) strict;
    create table if not exists ${importTables.progress} (part text not null primary key, position integer not null) strict;
  `);
  const decision = decideImport(id, {
    imports: db
      .prepare(`select export_id, completed_at from ${importTables.imports}`)
      .all()
      .map((row) => ({ id: String(row['export_id']), isComplete: row['completed_at'] !== null })),
    nonEmptyTables: tables
      .map(({ name }) => name)
      .filter((name) => db.prepare(`select 1 from "${name}" limit 1`).get() !== undefined),
  });
  if (typeof decision === 'object') throw new StoreError(decision.refused, { code: 'IMPORT' });
  if (decision === 'begin') {
    db.exec(`begin immediate; delete from ${importTables.progress}`);
    db.prepare(`insert into ${importTables.imports} (export_id) values (?)`).run(id);
    db.exec('commit');
  }
  return decision === 'complete';
}

function recordTarget(
  db: DatabaseSync,
  tables: readonly TableDescription[],
  { id, isComplete }: { readonly id: string; readonly isComplete: boolean },
): RecordTarget {
  const positions = new Map(
    db
      .prepare(`select part, position from ${importTables.progress}`)
      .all()
      .map((row) => [String(row['part']), Number(row['position'])]),
  );
  const position = (name: string) => positions.get(name) ?? 0;
  const inserts = new Map<string, StatementSync>();
  const setPosition = db.prepare(
    `insert into ${importTables.progress} (part, position) values (?, ?)
     on conflict (part) do update set position = excluded.position`,
  );

  const insertWords = db.prepare('insert into modelwire_completion_words (rowid, words) values (? << 31 | ?, ?)');

  function insertInto({ name, columns }: TableDescription): StatementSync {
    const prepared = inserts.get(name);
    if (prepared) return prepared;
    const values = columns.map(() => '?').join(', ');
    const insert = db.prepare(`insert into "${name}" (${quoted(columns)}) values (${values})`);
    inserts.set(name, insert);
    return insert;
  }

  function commit(name: string, next: number, work: () => void = () => {}): void {
    try {
      db.exec('begin immediate');
      work();
      setPosition.run(name, next);
      db.exec('commit');
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw toStoreError(error);
    }
    positions.set(name, next);
  }

  return {
    tables,
    isComplete,
    position,
    append(table, rows) {
      const insert = insertInto(table);
      commit(table.name, position(table.name) + rows.length, () => {
        for (const row of rows) insert.run(...row);
        if (table.name !== 'completions') return;
        for (const { seq, createdAt, words } of importedWords(sqliteSearch, table, rows))
          insertWords.run(createdAt, seq, words);
      });
      return Promise.resolve();
    },
    advance(name, next) {
      commit(name, next);
      return Promise.resolve();
    },
    finish: () => Promise.resolve(),
    complete() {
      db.prepare(`update ${importTables.imports} set completed_at = ? where export_id = ?`).run(
        new Date().toISOString(),
        id,
      );
      return Promise.resolve();
    },
    close() {
      db.close();
      return Promise.resolve();
    },
  };
}
