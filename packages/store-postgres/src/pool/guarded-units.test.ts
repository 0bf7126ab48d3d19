import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { UnmetError } from '@modelwire/store-sql/migrations';
import type { SqlDatabase, Statement } from '@modelwire/store-sql';
import { migrate } from '../schema/migrate.ts';
import { resolveOptions } from '../options.ts';
import type { PostgresStoresOptions } from '../options.ts';
import { poolDatabase } from './pool-database.ts';
import { freshSchema, url } from '../testing/schema.ts';

interface Kept {
  readonly id: number;
}

async function open(options: Partial<PostgresStoresOptions> = {}) {
  const schema = freshSchema();
  const database = poolDatabase(resolveOptions({ url, schema, poolSize: 2, ...options }));
  onTestFinished(() => database.close());
  const table = { name: 'one', sql: 'create table kept (id integer primary key)' };
  await database.withClient((client) => migrate(client, schema, [table]));
  return { database, schema };
}
const insert = (schema: string, id: number): Statement<Kept> => ({
  sql: `insert into ${schema}.kept values ($1) on conflict do nothing returning id`,
  parameters: [id],
});
const ids = async (database: SqlDatabase, schema: string) => {
  const rows = await database.read<Kept>({ sql: `select id from ${schema}.kept order by id`, parameters: [] });
  return rows.map(({ id }) => id);
};
const expected = { rows: 1, condition: 'it is new' };

test('a unit is written and returns its rows when all conditions hold', async () => {
  const { database, schema } = await open();
  const rows = await database.write([insert(schema, 1), { ...insert(schema, 2), expected }]);
  expect(rows).toEqual([[{ id: 1 }], [{ id: 2 }]]);
  expect(await ids(database, schema)).toEqual([1, 2]);
});

test('a unit with an unmet condition is rolled back and names the condition', async () => {
  const { database, schema } = await open();
  await database.write([insert(schema, 1)]);
  for (const unit of [
    [insert(schema, 2), { ...insert(schema, 1), expected }, insert(schema, 3)],
    [{ ...insert(schema, 1), expected }, insert(schema, 2)],
    [insert(schema, 2), { ...insert(schema, 1), expected }],
    [{ ...insert(schema, 2), expected: { rows: 2, condition: 'it is new' } }],
  ]) {
    const error: unknown = await database.write(unit).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnmetError);
    expect(error).toMatchObject({ condition: 'it is new' });
  }
  expect(await ids(database, schema)).toEqual([1]);
});

test('an unmet condition is reported before a later failure, and after an earlier one', async () => {
  const { database, schema } = await open();
  await database.write([insert(schema, 1)]);
  const unmet = { ...insert(schema, 1), expected };
  const broken = { sql: `insert into ${schema}.kept values (1)`, parameters: [] };
  await expect(database.write([unmet, broken])).rejects.toThrow(UnmetError);
  await expect(database.write([broken, unmet])).rejects.toMatchObject({ name: 'StoreError', conflict: true });
  await Promise.all([5, 6, 7, 8].map((id) => database.write([{ ...insert(schema, id), expected }])));
  expect(await ids(database, schema)).toEqual([1, 5, 6, 7, 8]);
});

test('locks of a server that stops responding within a unit are released', async () => {
  const { database, schema } = await open({ operationTimeoutMs: 200 });
  await database.write([insert(schema, 1)]);
  const other = new pg.Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  await expect(
    database.withClient(async (client) => {
      await client.query('begin');
      await client.query(`select from ${schema}.kept where id = 1 for update`);
      await other.query(`select from ${schema}.kept where id = 1 for update`);
      await client.query('commit');
    }),
  ).rejects.toMatchObject({ name: 'StoreError' });
  // Its connection is not reused.
  await database.write([{ ...insert(schema, 2), expected }]);
  expect(await ids(database, schema)).toEqual([1, 2]);
});
