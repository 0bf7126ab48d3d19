import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, backup } from 'node:sqlite';
import type { BlobSegment } from '@modelwire/ports';
import { StoreError, StoreTooNewError } from '@modelwire/store-sql/migrations';
import { toStoreError } from './failure.ts';
import { migrations } from '../schema/migrations.ts';
import { blobOf, selectBlobs } from '../transfer/record-source.ts';

/** What a copy of a database contains. */
export interface SqliteCopy {
  /** Version of its tables. */
  readonly schemaVersion: number;
  /** The blobs that its records refer to, each once, with their sizes. */
  readonly blobs: readonly BlobSegment[];
  /** Number of its webhooks, whose signing secrets it contains. */
  readonly webhooks: number;
}

/** All pages in one step: with several, the copy would begin again whenever the server writes. */
const pagesPerStep = 2 ** 30;

const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];
/** Failures of the file system or of another process, not of the file. */
const usableCodes = ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM', 'SQLITE_BUSY'];

/**
 * Copies a database while servers use it: as it was at one moment, in one file that only this user can read. Replaces `target`.
 *
 * @throws {StoreError} when there is no database, or the copy is damaged.
 */
export async function backupSqlite({
  path,
  target,
}: {
  readonly path: string;
  readonly target: string;
}): Promise<SqliteCopy> {
  if (!existsSync(path)) throw new StoreError(`There is no database at ${path}.`, { code: 'SQLITE_CANTOPEN' });
  rmSync(target, { force: true });
  closeSync(openSync(target, 'wx', 0o600));
  try {
    const source = new DatabaseSync(path, { timeout: 5000 });
    try {
      await backup(source, target, { rate: pagesPerStep });
    } finally {
      source.close();
    }
  } catch (error) {
    const failure = toStoreError(error);
    throw failure instanceof StoreError && damageCodes.includes(failure.code) ? damaged(path) : failure;
  }
  // Damage of the copy is that of the database.
  return inspect(target, path);
}

/**
 * Checks a copy, and makes it one file without a write-ahead log.
 *
 * @throws {StoreTooNewError} when a newer program created its tables.
 * @throws {StoreError} when it is damaged, or no database of this server.
 */
export function inspectSqliteCopy(path: string): SqliteCopy {
  return inspect(path, path);
}

/** `name`: the path in messages. */
function inspect(path: string, name: string): SqliteCopy {
  const db = new DatabaseSync(path);
  try {
    db.exec('pragma journal_mode = delete');
    const check = db.prepare('pragma quick_check').get()?.['quick_check'];
    if (check !== 'ok') throw damaged(name);
    const version = db.prepare('select max(version) as version from modelwire_migrations').get()?.['version'];
    if (typeof version !== 'number') throw damaged(name);
    if (version > migrations.length) throw new StoreTooNewError(version, migrations.length);
    return {
      schemaVersion: version,
      webhooks: Number(db.prepare('select count(*) as count from webhooks').get()?.['count']),
      blobs: db.prepare(selectBlobs).all().map(blobOf),
    };
  } catch (error) {
    if (error instanceof StoreError || error instanceof StoreTooNewError) throw error;
    const failure = toStoreError(error);
    throw failure instanceof StoreError && usableCodes.includes(failure.code) ? failure : damaged(name);
  } finally {
    db.close();
  }
}

/** The ID of a record that refers to a blob, in a copy of a database; undefined if there is none. */
export function findRecordOfBlob(path: string, key: string): string | undefined {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const row = db
      .prepare(
        'select owner_id as id from segments where blob_key = ? union all select upload_id from upload_parts where blob_key = ?',
      )
      .get(key, key);
    return row && String(row['id']);
  } finally {
    db.close();
  }
}

function damaged(path: string): StoreError {
  return new StoreError(`The file ${path} is damaged, or is not a database of this server.`, {
    code: 'SQLITE_CORRUPT',
  });
}
