import { DatabaseSync as Database } from 'node:sqlite';
import { evaluateExample, readmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { sqlStores, sqliteBuilder } from './index.ts';

test('the example of the README is a working store', async () => {
  const db = new Database(':memory:');
  function DatabaseSync() {
    return db;
  }
  await evaluateExample(await readmeExample(import.meta.url), { DatabaseSync, sqlStores, sqliteBuilder });
  expect(db.prepare('select * from projects').all()).toMatchObject([{ id: 'default', requests_per_minute: 60 }]);
});
