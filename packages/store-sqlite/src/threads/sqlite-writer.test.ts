import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyRecord, Stores } from '@modelwire/ports';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStores } from '../sqlite-stores.ts';
import { openSqliteWriter } from './sqlite-writer.ts';
import type { SqliteWrite, SqliteWriteOutcome } from './sqlite-writer.ts';

/** Two stores on one file, as in two processes: their writes pass one writer as JSON. */
async function openTwo(): Promise<{ readonly stores: readonly [Stores, Stores]; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-writer-'));
  const path = join(folder, 'store.db');
  const writer = await openSqliteWriter({ path });
  const remote = {
    run: async (write: SqliteWrite) =>
      JSON.parse(
        JSON.stringify(await writer.run(JSON.parse(JSON.stringify(write)) as SqliteWrite)),
      ) as SqliteWriteOutcome,
    hasFailed: () => writer.hasFailed(),
  };
  const first = await openSqliteStores({ path, writer: remote });
  const second = await openSqliteStores({ path, writer: remote });
  onTestFinished(async () => {
    await Promise.all([first.close(), second.close()]);
    await writer.close();
    await rm(folder, { recursive: true });
  });
  return { stores: [first, second], close: () => writer.close() };
}

const keyRecord = (id: string): KeyRecord => ({
  id,
  hash: `hash of ${id}`,
  project: 'default',
  role: 'full',
  name: '',
  hint: '',
  created: 1,
  expires: null,
  revoked: null,
  lastUsed: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  allowedModels: null,
  maxOutputTokens: null,
});

test('what one store wrote is read by the other when the write resolves', async () => {
  const { stores } = await openTwo();
  const [first, second] = stores;
  const ids = Array.from({ length: 50 }, (_, index) => `key_${index}`);
  await Promise.all(ids.map((id, index) => (index % 2 === 0 ? first : second).keys.add(keyRecord(id))));
  for (const store of stores) expect((await store.keys.list()).map(({ id }) => id).sort()).toEqual(ids.toSorted());
});

test('errors keep what callers decide by: a record that exists, a condition that does not hold, a closed writer', async () => {
  const { stores, close } = await openTwo();
  const [first, second] = stores;
  await first.keys.add(keyRecord('key_1'));
  await expect(second.keys.add(keyRecord('key_1'))).rejects.toMatchObject({ name: 'StoreError', conflict: true });
  expect(await second.keys.revoke('key_2', 5)).toBeUndefined();
  await close();
  await expect(first.keys.add(keyRecord('key_3'))).rejects.toMatchObject({ name: 'StoreError', code: 'CLOSED' });
});

test('a change of a key resolves after what listeners started because of it', async () => {
  const [store] = (await openTwo()).stores;
  const done: string[] = [];
  store.keys.onChange?.(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    done.push('listener');
  });
  await store.keys.add(keyRecord('key_1'));
  done.push('change');
  expect(done).toEqual(['listener', 'change']);
});
