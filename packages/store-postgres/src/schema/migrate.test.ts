import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreTooNewError } from '@modelwire/store-sql/migrations';
import { completionRecord } from '@modelwire/ports/testing';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { openPostgresStores } from '../postgres-stores.ts';
import { freshSchema, url } from '../testing/schema.ts';

const one = { name: 'one', sql: 'create table a (id integer); insert into a values (1)' };
const two = { name: 'two', sql: 'alter table a add column b text; update a set b = id * 10' };
const broken = { name: 'broken', sql: 'create table c (id integer); create table a (id integer)' };

const client = new pg.Client(url);
beforeAll(() => client.connect().then(() => {}));
afterAll(() => client.end());

async function rows(sql: string): Promise<unknown[]> {
  return (await client.query<Record<string, unknown>>(sql)).rows;
}
const versions = (schema: string) => rows(`select version, name from ${schema}.modelwire_migrations order by version`);

test('applies all migrations to an empty database, once', async () => {
  const schema = freshSchema();
  for (let time = 0; time < 2; time++) await (await openPostgresStores({ url, schema })).close();
  expect(await versions(schema)).toEqual(migrations.map(({ name }, index) => ({ version: index + 1, name })));
});

test('applies the missing migrations to an older database, and keeps its data', async () => {
  const schema = freshSchema();
  await migrate(client, schema, [one]);
  await migrate(client, schema, [one, two]);
  expect(await versions(schema)).toHaveLength(2);
  expect(await rows(`select * from ${schema}.a`)).toEqual([{ id: 1, b: '10' }]);
});

test('a step that fails changes nothing, and the steps before it are kept', async () => {
  const schema = freshSchema();
  await migrate(client, schema, [one]);
  await expect(migrate(client, schema, [one, two, broken])).rejects.toThrow('already exists');
  expect(await versions(schema)).toHaveLength(2);
  expect(await rows(`select * from ${schema}.a`)).toEqual([{ id: 1, b: '10' }]);
});

test('rejects a database of a newer version with both versions, and does not change it', async () => {
  const schema = freshSchema();
  await (await openPostgresStores({ url, schema })).close();
  await client.query(`insert into ${schema}.modelwire_migrations (version, name) values (999, 'of the future')`);
  const refused = openPostgresStores({ url, schema });
  await expect(refused).rejects.toThrow(StoreTooNewError);
  await expect(refused).rejects.toThrow(`version 999, but this program supports versions up to ${migrations.length}`);
  expect(await versions(schema)).toHaveLength(migrations.length + 1);
});

test('several replicas that start concurrently on an empty database all succeed, and one migrates', async () => {
  const schema = freshSchema();
  const all = await Promise.all(Array.from({ length: 6 }, () => openPostgresStores({ url, schema, poolSize: 2 })));
  await Promise.all(all.map((stores) => stores.project('p').completions.append(completionRecord())));
  expect((await all[0]?.project('p').completions.list({ limit: 9, order: 'asc' }))?.items).toHaveLength(6);
  await Promise.all(all.map((stores) => stores.close()));
  expect(await versions(schema)).toHaveLength(migrations.length);
});

test('other replicas continue while the migration waits for a table that a long transaction uses', async () => {
  const schema = freshSchema();
  await migrate(client, schema, [one]);
  const [holder, reader, migrator] = [new pg.Client(url), new pg.Client(url), new pg.Client(url)];
  await Promise.all([holder.connect(), reader.connect(), migrator.connect()]);
  await holder.query(`begin; select * from ${schema}.a`);
  const migrated = migrate(migrator, schema, [one, two]);
  const waiting = `select from pg_locks where relation = '${schema}.a'::regclass and not granted`;
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
  // It queues behind the migration, which gives way while the first transaction still runs.
  expect((await reader.query(`select * from ${schema}.a`)).rows).toEqual([{ id: 1 }]);
  await holder.query('commit');
  await migrated;
  expect((await reader.query(`select * from ${schema}.a`)).rows).toEqual([{ id: 1, b: '10' }]);
  await Promise.all([holder.end(), reader.end(), migrator.end()]);
});

test('a replica waits without a timeout for the migration of another', async () => {
  const schema = freshSchema();
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`modelwire migrations of ${schema}`]);
  const opening = openPostgresStores({ url, schema, operationTimeoutMs: 50 });
  const watching = new pg.Client(url);
  await watching.connect();
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted`;
  await expect.poll(async () => (await watching.query(waiting)).rowCount).toBe(1);
  await watching.query('select pg_sleep(0.5)');
  await watching.end();
  await client.query('commit');
  await (await opening).close();
  expect(await versions(schema)).toHaveLength(migrations.length);
});

test('a user without the right to create schemas can use an existing one', async () => {
  const schema = freshSchema();
  const role = `role_${schema}`.slice(0, 60);
  await client.query(`create role ${role} login password 'x'`);
  await client.query(`create schema ${schema} authorization ${role}`);
  const userUrl = new URL(url);
  userUrl.username = role;
  userUrl.password = 'x';
  const stores = await openPostgresStores({ url: userUrl.href, schema });
  await stores.check();
  await stores.close();
  await expect(openPostgresStores({ url: userUrl.href, schema: freshSchema() })).rejects.toMatchObject({
    code: '42501',
  });
});
