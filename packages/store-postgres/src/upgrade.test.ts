import pg from 'pg';
import { completionRecord, storeTurn } from '@modelwire/ports/suites/stores';
import {
  deleteInEarlierVersion,
  expectDeletedCursors,
  expectEarlierRecords,
  miscountedProjects,
} from '@modelwire/store-sql/testing';
import { expect, test } from 'vitest';
import type { Migration } from '@modelwire/store-sql/migrations';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { openPostgresStores } from './postgres-stores.ts';
import { earlier, startEarlierReplica } from './testing/earlier-replica.ts';
import { freshSchema, url } from './testing/schema.ts';

test('a replica of an earlier version reads and writes while this one migrates the tables, and afterwards', async () => {
  const schema = freshSchema();
  const client = new pg.Client(url);
  await client.connect();
  await migrate(client, schema, migrations.slice(0, earlier.version));
  const replica = await startEarlierReplica(schema);
  const serving = replica.serve();
  await Promise.race([serving, expect.poll(replica.rounds).toBeGreaterThan(1)]);

  const stores = await openPostgresStores({ url, schema });
  const migrated = replica.rounds();
  await stores.project('earlier').completions.append(completionRecord({ id: 'chatcmpl-new' }));
  await Promise.race([serving, expect.poll(replica.rounds).toBeGreaterThan(migrated + 1)]);
  replica.stop();
  await serving;
  expect(await replica.run('completions.get', 'new')).toHaveLength(1);

  await expectEarlierRecords(stores, ['run-0', `run-${migrated + 1}`]);
  await client.query(`set search_path to ${schema}`);
  expect((await client.query(miscountedProjects)).rows).toEqual([]);
  expect(await stores.keys.storageBytes('earlier')).toBeGreaterThan(0);
  await client.end();
  await stores.close();
  await replica.close();
});

test('a file that is written while the bytes of files are counted does not deadlock with the migration', async () => {
  const schema = freshSchema();
  const [migrating, writing] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([migrating.connect(), writing.connect()]);
  const step = migrations.findIndex(({ name }) => name === 'stored bytes of files by project');
  await migrate(migrating, schema, migrations.slice(0, step));
  await writing.query(`set search_path to ${schema}; set deadlock_timeout = '50ms'; begin`);
  await writing.query(
    `insert into files (id, project, created, purpose, body) values ('f', 'p', 1, 'user_data', '{}')`,
  );
  const migrated = migrate(migrating, schema, migrations);
  await expect
    .poll(async () => (await writing.query('select from pg_locks where not granted')).rowCount)
    .toBeGreaterThan(0);
  await writing.query(`insert into segments (owner, role, place, key, bytes) values ('f', 'file', 0, 'k', 7)`);
  await writing.query('commit');
  await migrated;
  expect((await writing.query('select project, bytes::int from modelwire_storage_counters')).rows).toEqual([
    { project: 'p', bytes: 7 },
  ]);
  await Promise.all([migrating.end(), writing.end()]);
});

test('records of an earlier version, without their bytes, count as storage at once, and are measured in steps', async () => {
  const schema = freshSchema();
  const stores = await openPostgresStores({ url, schema });
  const { completions, responses } = stores.project('p');
  for (const id of ['chatcmpl-1', 'chatcmpl-2']) await completions.append(completionRecord({ id }));
  for (const id of ['resp_1', 'resp_2']) await storeTurn(responses, { id });
  const bytes = await stores.keys.storageBytes('p');
  const client = new pg.Client(url);
  await client.connect();
  const tables = ['completions', 'responses'];
  for (const table of tables) await client.query(`update ${schema}.${table} set bytes = null`);
  const unmeasured = async () => {
    const counts = tables.map(
      (table) => `(select count(*)::int from ${schema}.${table} where bytes is null) as ${table}`,
    );
    return (await client.query<Record<string, number>>(`select ${counts.join(', ')}`)).rows[0];
  };
  expect(bytes).toBeGreaterThan(0);
  for (const remaining of [2, 1, 0]) {
    expect(await unmeasured()).toEqual({ completions: remaining, responses: remaining });
    expect(await stores.keys.storageBytes('p')).toBe(bytes);
    await stores.removeExpired({ completionsBefore: undefined, now: 0, limit: 1 });
  }
  await client.query(`set search_path to ${schema}`);
  expect((await client.query(miscountedProjects)).rows).toEqual([]);
  await client.end();
  await stores.close();
});

test('a table of tombstones under a former name is renamed, with what it contains', async () => {
  const [schema, fresh] = [freshSchema(), freshSchema()];
  const client = new pg.Client(url);
  await client.connect();
  const formerly = ({ name, sql }: Migration) => ({
    name,
    sql: sql
      .replaceAll('store_tombstones', 'remember_erased')
      .replaceAll('tombstones', 'erased')
      .replaceAll(/\bdeleted\b/g, 'gone'),
  });
  const isRename = ({ name }: Migration) => name === 'tombstones have their name';
  await migrate(client, schema, migrations.slice(0, migrations.findIndex(isRename)).map(formerly));
  const replica = await startEarlierReplica(schema);
  await deleteInEarlierVersion(replica);
  await replica.close();

  const stores = await openPostgresStores({ url, schema });
  await expectDeletedCursors(stores);
  await stores.close();

  await migrate(client, fresh, migrations);
  const objects = async (of: string) => {
    const { rows } = await client.query(
      `select c.relname as name, string_agg(a.attname, ' ' order by a.attnum) as columns
       from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and c.relkind = 'r'
       where c.relnamespace = $1::regnamespace group by c.oid
       union all select t.tgname, p.proname from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where p.pronamespace = $1::regnamespace
       union all select proname, prosrc from pg_proc where pronamespace = $1::regnamespace
       order by 1, 2`,
      [of],
    );
    return rows as unknown[];
  };
  expect(await objects(schema)).toEqual(await objects(fresh));
  await client.end();
});
