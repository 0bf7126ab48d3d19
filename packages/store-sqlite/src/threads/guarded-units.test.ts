import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { UnmetError } from '@modelwire/store-sql/migrations';
import type { SqlDatabase, Statement } from '@modelwire/store-sql';
import { databasePath } from '../testing/folder.ts';
import { openThreadDatabase } from './thread-database.ts';

interface Kept {
  readonly id: number;
}

async function open(): Promise<SqlDatabase> {
  const path = await databasePath();
  const db = new DatabaseSync(path);
  db.exec('create table kept (id integer primary key) strict');
  db.close();
  const database = await openThreadDatabase({ path, busyTimeoutMs: 1000, operationTimeoutMs: 10_000, scanThreads: 1 });
  onTestFinished(() => database.close());
  return database;
}
const insert = (id: number): Statement<Kept> => ({
  sql: 'insert into kept values (?) on conflict do nothing returning id',
  parameters: [id],
});
const ids = async (database: SqlDatabase) => {
  const rows = await database.read<Kept>({ sql: 'select id from kept order by id', parameters: [] });
  return rows.map(({ id }) => id);
};
const expected = { rows: 1, condition: 'it is new' };

test('a unit is written and returns its rows when all conditions hold', async () => {
  const database = await open();
  expect(await database.write([insert(1), { ...insert(2), expected }])).toEqual([[{ id: 1 }], [{ id: 2 }]]);
  expect(await ids(database)).toEqual([1, 2]);
});

test('a unit with an unmet condition is rolled back and names the condition', async () => {
  const database = await open();
  await database.write([insert(1)]);
  for (const unit of [
    [insert(2), { ...insert(1), expected }, insert(3)],
    [{ ...insert(1), expected }, insert(2)],
    [insert(2), { ...insert(1), expected }],
    [{ ...insert(2), expected: { rows: 2, condition: 'it is new' } }],
  ]) {
    const error: unknown = await database.write(unit).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnmetError);
    expect(error).toMatchObject({ condition: 'it is new' });
  }
  expect(await ids(database)).toEqual([1]);
});

test('a unit that is rolled back does not affect others in its commit, which do not see its writes', async () => {
  const database = await open();
  const units = [1, 2, 3, 4].map((id) => database.write([{ ...insert(id), expected }]));
  const undone = database.write([insert(5), { ...insert(1), expected }]);
  const after = database.write([{ ...insert(5), expected }]);
  await expect(undone).rejects.toThrow(UnmetError);
  await Promise.all([...units, after]);
  expect(await ids(database)).toEqual([1, 2, 3, 4, 5]);
});

test('an unmet condition is reported before a later failure, and after an earlier one', async () => {
  const database = await open();
  await database.write([insert(1)]);
  const unmet = { ...insert(1), expected };
  const broken = { sql: 'insert into kept values (1)', parameters: [] };
  await expect(database.write([unmet, broken])).rejects.toThrow(UnmetError);
  await expect(database.write([broken, unmet])).rejects.toMatchObject({ name: 'StoreError', conflict: true });
});
