import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openFsBlobs } from '@modelwire/blobs-fs';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { openSqliteRecordSource } from '@modelwire/store-sqlite/internal';
import { readFolder, writeFolder } from './folder-copy.ts';
import type { FolderCopy } from './folder-copy.ts';

/** Texts that formats and databases treat specially. */
const special = 'ä \u2028 "\\N", {NULL} \t\r\n\u{1f600} \u0001d800';

const filled = new Map<number, FolderCopy>();

/**
 * Creates a data folder whose database has rows in every table, with a value in every column, from its schema: a table that is added later
 * gets rows as well. Contents exist for all segments and parts, and completions are JSON, whose words are read.
 */
export async function fillEveryTable(data: string, rows = 3): Promise<void> {
  const earlier = filled.get(rows);
  if (earlier) {
    writeFolder(data, earlier);
    return;
  }
  await fill(data, rows);
  filled.set(rows, readFolder(data));
}

async function fill(data: string, rows: number): Promise<void> {
  const path = join(data, 'modelwire.sqlite');
  await (await openSqliteStores({ path })).close();
  const source = openSqliteRecordSource({ path });
  const { tables } = source;
  await source.close();
  const db = new DatabaseSync(path);
  try {
    db.exec('begin');
    for (const { name, columns } of tables) {
      const types = new Map(
        db
          .prepare('select name, type from pragma_table_info(?)')
          .all(name)
          .map((column) => [String(column['name']), String(column['type'])]),
      );
      const insert = db.prepare(
        `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      );
      for (let row = 1; row <= rows; row++)
        insert.run(...columns.map((column) => valueOf(types.get(column), `${name}.${column} ${row}`, row)));
    }
    db.exec(`
      update segments set blob_key = 'blob_segment' || position, bytes = 100000 + position;
      update upload_parts set blob_key = 'blob_segment' || bytes, bytes = 100000 + bytes;
      update completions set
        body = json_object('choices', json_array(json_object('message', json_object('content', body)))),
        messages = json_array(json_object('role', 'user', 'content', messages));
      commit;
    `);
    for (let row = 1; row <= rows; row++)
      for (const table of ['segments', 'upload_parts'])
        db.prepare(`update ${table} set sha256 = ? where blob_key = ?`).run(
          createHash('sha256').update(contentOf(row)).digest('hex'),
          `blob_segment${row}`,
        );
    const blobs = await openFsBlobs({ path: join(data, 'blobs') });
    for (let row = 1; row <= rows; row++) await blobs.write(`blob_segment${row}`, one(contentOf(row)));
    await blobs.close();
  } finally {
    db.close();
  }
}

const contentOf = (row: number): Buffer => Buffer.alloc(100_000 + row, row);

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function valueOf(type: string | undefined, text: string, row: number): string | number {
  if (type === 'TEXT') return `${text} ${special}`;
  return type === 'REAL' ? row + 0.5 : row;
}
