import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { SQLOutputValue } from 'node:sqlite';
import type { BlobSegment } from '@modelwire/ports';
import { StoreError } from '@modelwire/store-sql/migrations';
import type { RecordSource, TableDescription, TableRow } from '@modelwire/store-sql/migrations';
import { toStoreError } from '../file/failure.ts';
import { migrations } from '../schema/migrations.ts';
import { requireCurrentTables } from '../schema/migrate.ts';
import { quoted, recordTables } from './record-tables.ts';

/** The blobs that records refer to, each once. */
export const selectBlobs =
  'select blob_key, bytes, sha256 from segments union select blob_key, bytes, sha256 from upload_parts';

export function blobOf(row: Record<string, SQLOutputValue>): BlobSegment {
  const { blob_key: key, bytes, sha256 } = row;
  return { key: String(key), bytes: Number(bytes), ...(typeof sha256 === 'string' && { sha256 }) };
}

/** Rows that are read at once. */
const rowsPerRead = 100;

/**
 * Opens the records of a database as they are at this moment, also while servers write to it. Changes nothing.
 *
 * @throws {StoreError} when there is no database, or its tables are of an older version.
 * @throws {StoreTooNewError} when its tables are of a newer version.
 */
export function openSqliteRecordSource({ path }: { readonly path: string }): RecordSource {
  if (!existsSync(path)) throw new StoreError(`There is no database at ${path}.`, { code: 'SQLITE_CANTOPEN' });
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    requireCurrentTables(db, migrations);
    // All later reads see the moment of the first one.
    db.exec('begin');
    return recordSource(db, recordTables(db));
  } catch (error) {
    db.close();
    throw toStoreError(error);
  }
}

function recordSource(db: DatabaseSync, tables: readonly TableDescription[]): RecordSource {
  return {
    tables,
    rows: (table) =>
      chunks(db, `select ${quoted(table.columns)} from "${table.name}" order by ${quoted(table.key)}`, (row) =>
        table.columns.map((column) => valueOf(row[column])),
      ),
    blobs: () => chunks(db, `${selectBlobs} order by blob_key`, blobOf),
    close() {
      db.close();
      return Promise.resolve();
    },
  };
}

async function* chunks<Item>(
  db: DatabaseSync,
  sql: string,
  toItem: (row: Record<string, SQLOutputValue>) => Item,
): AsyncGenerator<readonly Item[]> {
  let chunk: Item[] = [];
  try {
    for (const row of db.prepare(sql).iterate()) {
      chunk.push(toItem(row));
      if (chunk.length < rowsPerRead) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    throw toStoreError(error);
  }
  if (chunk.length > 0) yield chunk;
}

function valueOf(value: SQLOutputValue | undefined): TableRow[number] {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new StoreError('The database has a value that is neither text nor a number.', { code: 'SQLITE_MISMATCH' });
}
