import { describeStores } from '@modelwire/ports/suites/stores';
import { expect, test } from 'vitest';
import { openMemory, openMemoryStores, storesOver } from './memory-stores.ts';

describeStores('SQLite in memory', async () => {
  const db = openMemory();
  return { open: () => storesOver(db, () => undefined), remove: () => db.close() };
});

test('stores in memory share nothing, and reject operations after they are closed', async () => {
  const one = openMemoryStores();
  const other = openMemoryStores();
  await one.keys.archiveProject('p', 1);
  expect(await other.keys.list()).toEqual([]);
  await one.close();
  await one.close();
  await expect(one.keys.list()).rejects.toMatchObject({ name: 'StoreError', code: 'CLOSED' });
  await other.close();
});
