import { DatabaseSync } from 'node:sqlite';
import { completionRecord, storeTurn } from '@modelwire/ports/suites/stores';
import {
  deleteInEarlierVersion,
  expectDeletedCursors,
  expectEarlierRecords,
  miscountedProjects,
} from '@modelwire/store-sql/testing';
import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import type { SqliteMigration } from './migrations.ts';
import { openSqliteStores } from './sqlite-stores.ts';
import { earlier, startEarlierReplica } from './testing/earlier-replica.ts';
import { databasePath } from './testing/folder.ts';

test('a process of an earlier version reads and writes while this one migrates the tables, and afterwards', async () => {
  const path = await databasePath();
  const db = new DatabaseSync(path, { timeout: 10_000 });
  db.exec('pragma journal_mode = wal');
  migrate(db, migrations.slice(0, earlier.version));
  db.exec('pragma synchronous = off; pragma foreign_keys = on');
  const replica = startEarlierReplica(db);
  const serving = replica.serve();
  await Promise.race([serving, expect.poll(replica.rounds).toBeGreaterThan(1)]);

  const stores = await openSqliteStores({ path });
  const migrated = replica.rounds();
  await stores.project('earlier').completions.append(completionRecord({ id: 'chatcmpl-new' }));
  await Promise.race([serving, expect.poll(replica.rounds).toBeGreaterThan(migrated + 1)]);
  expect(await replica.run('completions.get', 'new')).toHaveLength(1);
  replica.stop();
  await serving;

  await expectEarlierRecords(stores, ['run-0', `run-${migrated + 1}`]);
  expect(db.prepare(miscountedProjects).all()).toEqual([]);
  expect(await stores.keys.storageBytes('earlier')).toBeGreaterThan(0);
  await stores.close();
  db.close();
});

test('records of an earlier version, without their bytes, count as storage at once, and are measured in steps', async () => {
  const path = await databasePath();
  const stores = await openSqliteStores({ path });
  const { completions, responses } = stores.project('p');
  for (const id of ['chatcmpl-1', 'chatcmpl-2']) await completions.append(completionRecord({ id }));
  for (const id of ['resp_1', 'resp_2']) await storeTurn(responses, { id });
  const bytes = await stores.keys.storageBytes('p');
  const db = new DatabaseSync(path, { timeout: 10_000 });
  db.exec('update completions set bytes = null; update responses set bytes = null');
  const unmeasured = () =>
    ['completions', 'responses'].map(
      (table) => db.prepare(`select count(*) as count from ${table} where bytes is null`).get()?.['count'],
    );
  expect(bytes).toBeGreaterThan(0);
  for (const remaining of [2, 1, 0]) {
    expect(unmeasured()).toEqual([remaining, remaining]);
    expect(await stores.keys.storageBytes('p')).toBe(bytes);
    await stores.removeExpired({ completionsBefore: undefined, now: 0, limit: 1 });
  }
  expect(db.prepare(miscountedProjects).all()).toEqual([]);
  db.close();
  await stores.close();
});

test('a table of tombstones under a former name is renamed, with what it contains', async () => {
  const path = await databasePath();
  const db = new DatabaseSync(path, { timeout: 10_000 });
  const formerly = ({ name, sql }: SqliteMigration) => ({
    name,
    sql: sql.replaceAll('tombstones', 'erased').replaceAll(/\bdeleted\b/g, 'gone'),
  });
  const isRename = ({ generate }: SqliteMigration) => generate !== undefined;
  migrate(db, migrations.slice(0, migrations.findIndex(isRename)).map(formerly));
  await deleteInEarlierVersion(startEarlierReplica(db));

  const stores = await openSqliteStores({ path });
  await expectDeletedCursors(stores);
  await stores.close();

  const fresh = new DatabaseSync(':memory:');
  migrate(fresh, migrations);
  const objects = `select s.type, s.name, tbl_name, group_concat(c.name order by c.cid) as columns
    from sqlite_schema as s left join pragma_table_info(s.name) as c group by s.name order by s.name`;
  expect(db.prepare(objects).all()).toEqual(fresh.prepare(objects).all());
  fresh.close();
  db.close();
});
