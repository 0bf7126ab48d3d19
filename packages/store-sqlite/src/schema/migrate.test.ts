import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { StoreTooNewError, pendingMigrations } from '@modelwire/store-sql/migrations';
import { completionRecord } from '@modelwire/ports/testing';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { openSqliteStores } from '../sqlite-stores.ts';
import { databasePath } from '../testing/folder.ts';

const one = { name: 'one', sql: 'create table a (id integer) strict; insert into a values (1)' };
const two = { name: 'two', sql: 'alter table a add column b text; update a set b = id || 0' };
const broken = { name: 'broken', sql: 'create table c (id integer) strict; create table a (id integer)' };

const versions = (db: DatabaseSync) =>
  db
    .prepare('select version, name from modelwire_migrations order by version')
    .all()
    .map((row) => ({ ...row }));

test('applies all migrations to an empty file, once', async () => {
  const path = await databasePath();
  for (let time = 0; time < 2; time++) await (await openSqliteStores({ path })).close();
  const db = new DatabaseSync(path);
  expect(versions(db)).toEqual(migrations.map(({ name }, index) => ({ version: index + 1, name })));
  db.close();
});

test('applies the missing migrations to an older file, and keeps its data', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, [one]);
  migrate(db, [one, two]);
  expect(versions(db)).toEqual([
    { version: 1, name: 'one' },
    { version: 2, name: 'two' },
  ]);
  expect(db.prepare('select * from a').all()).toMatchObject([{ id: 1, b: '10' }]);
});

test('a migration that fails leaves the file unchanged', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, [one]);
  expect(() => migrate(db, [one, two, broken])).toThrow('already exists');
  expect(versions(db)).toHaveLength(1);
  expect(db.prepare('select * from a').all()).toEqual([{ id: 1 }]);
  migrate(db, [one, two]);
  expect(versions(db)).toHaveLength(2);
});

test('rejects a file of a newer version with both versions, and does not change it', async () => {
  const path = await databasePath();
  const stores = await openSqliteStores({ path });
  await stores.project('p').completions.append(completionRecord({ id: 'kept' }));
  await stores.close();
  const db = new DatabaseSync(path);
  db.exec("insert into modelwire_migrations values (999, 'of the future', '')");
  db.close();
  const before = await readFile(path);
  const refused = openSqliteStores({ path });
  await expect(refused).rejects.toThrow(StoreTooNewError);
  await expect(refused).rejects.toThrow(`version 999, but this program supports versions up to ${migrations.length}`);
  expect(await readFile(path)).toEqual(before);
});

test('several processes that open an empty file concurrently all succeed, and one migrates', async () => {
  for (let round = 0; round < 3; round++) {
    const path = await databasePath();
    const all = await Promise.all(Array.from({ length: 4 }, () => openSqliteStores({ path })));
    await Promise.all(all.map((stores) => stores.project('p').completions.append(completionRecord())));
    const [first] = all;
    expect((await first?.project('p').completions.list({ limit: 9, order: 'asc' }))?.items).toHaveLength(4);
    await Promise.all(all.map((stores) => stores.close()));
    const db = new DatabaseSync(path);
    expect(versions(db)).toHaveLength(migrations.length);
    db.close();
  }
});

test('the version of a database is the number of its migrations', () => {
  expect(pendingMigrations([one, two], 0).map(({ version }) => version)).toEqual([1, 2]);
  expect(pendingMigrations([one, two], 2)).toEqual([]);
  expect(() => pendingMigrations([one], 2)).toThrow(StoreTooNewError);
});
