import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { backupSqlite } from './backup.ts';
import { migrate } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { databasePath } from '../testing/folder.ts';

test('backs up tables of every version, with the blobs that their records refer to', async () => {
  for (let version = 1; version <= migrations.length; version++) {
    const path = await databasePath();
    const db = new DatabaseSync(path);
    migrate(db, migrations.slice(0, version));
    const storesFiles = version > 1;
    if (storesFiles)
      db.exec(
        "insert into segments (owner_id, role, position, blob_key, bytes) values ('file-1', 'content', 0, 'blob_1', 3)",
      );
    db.close();
    expect(await backupSqlite({ path, target: `${path}.copy` })).toEqual({
      schemaVersion: version,
      webhooks: 0,
      blobs: storesFiles ? [{ key: 'blob_1', bytes: 3 }] : [],
    });
  }
});

test.each([
  ['text', 'not a database '.repeat(1000)],
  ['an empty file', ''],
])('names the database, not the copy, if it is damaged: %s', async (_, content) => {
  const path = await databasePath();
  writeFileSync(path, content);
  await expect(backupSqlite({ path, target: `${path}.copy` })).rejects.toThrow(
    `The file ${path} is damaged, or is not a database of this server.`,
  );
});

test('lists the digests of contents', async () => {
  const path = await databasePath();
  const db = new DatabaseSync(path);
  migrate(db, migrations);
  db.exec(
    "insert into segments values ('file-1', 'file', 0, 'blob_1', 3, 'ab12'), ('file-1', 'file', 1, 'blob_2', 3, null)",
  );
  db.close();
  const { blobs } = await backupSqlite({ path, target: `${path}.copy` });
  expect(blobs).toEqual([
    { key: 'blob_1', bytes: 3, sha256: 'ab12' },
    { key: 'blob_2', bytes: 3 },
  ]);
});
