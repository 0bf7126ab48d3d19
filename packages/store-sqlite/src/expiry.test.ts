import { expect, onTestFinished, test } from 'vitest';
import { completionRecord, fileRecord } from '@modelwire/ports/testing';
import { openMemory, storesOver } from './memory-stores.ts';

const now = 1_700_000_000_000;
const all = { completionsBefore: 10, now, limit: 100 };

async function filled() {
  const db = openMemory();
  const stores = storesOver(db, () => db.close());
  onTestFinished(() => stores.close());
  const { completions, files } = stores.project('p');
  await completions.append(completionRecord({ id: 'c', created: 1 }));
  // More than are removed concurrently.
  for (let n = 0; n < 40; n++) await files.create(fileRecord({ id: `f${n}`, expires_at: n + 1 }));
  return {
    db,
    stores,
    count: (table: string) => db.prepare(`select count(*) as count from ${table}`).get()?.['count'],
  };
}

test('a record that cannot be removed does not block others, and is reported', async () => {
  const { db, stores, count } = await filled();
  db.exec(`create trigger stuck before delete on files when old.id = 'f0' begin select raise(abort, 'stuck'); end`);
  await expect(stores.removeExpired(all)).rejects.toThrow('stuck');
  expect([count('files'), count('completions')]).toEqual([1, 0]);
});

test('records of one kind that cannot be removed do not block those of another', async () => {
  const { db, stores, count } = await filled();
  db.exec('drop table idempotency_keys');
  await expect(stores.removeExpired(all)).rejects.toThrow('idempotency_keys');
  expect([count('files'), count('completions')]).toEqual([0, 0]);
});
