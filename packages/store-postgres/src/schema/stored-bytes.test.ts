import pg from 'pg';
import type { Stores } from '@modelwire/ports';
import { completionRecord, projectRecord } from '@modelwire/ports/testing';
import { miscountedProjects } from '@modelwire/store-sql/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStores } from '../postgres-stores.ts';
import { freshSchema, url } from '../testing/schema.ts';

async function open(replicaCount: number) {
  const schema = freshSchema();
  const replicas: Stores[] = [];
  while (replicas.length < replicaCount) replicas.push(await openPostgresStores({ url, schema }));
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await Promise.all(replicas.map((stores) => stores.close()));
  });
  await client.query(`set search_path to ${schema}`);
  return { replicas, client };
}

test('counters of stored bytes are merged while replicas store and delete, and stay exact', async () => {
  const { replicas, client } = await open(2);
  const appends = 1000;
  let started = 0;
  async function write(): Promise<void> {
    while (started < appends) {
      const index = started++;
      const { completions } = replicas[index % 2]!.project(index % 3 === 0 ? 'a' : 'b');
      const id = `chatcmpl-${index}`;
      await completions.append(completionRecord({ id }));
      if (index % 4 === 0) await completions.delete(id);
    }
  }
  await Promise.all(Array.from({ length: 16 }, write));

  expect((await client.query(miscountedProjects)).rows).toEqual([]);
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from modelwire_storage_counters',
  );
  // Without merging there would be one for each of the 1250 writes.
  expect(rows[0]?.count).toBeLessThan(appends);
});

test('a recount corrects what was not counted, while replicas store', async () => {
  const { replicas, client } = await open(1);
  const [stores] = replicas;
  if (!stores) throw new Error('no store');
  const { completions } = stores.project('a');
  for (let index = 0; index < 10; index++) await completions.append(completionRecord({ id: `chatcmpl-${index}` }));
  const bytes = await stores.keys.storageBytes('a');
  await client.query(`insert into modelwire_storage_counters (project_id, bytes) values ('a', 1000), ('gone', 5)`);
  expect(await stores.keys.storageBytes('a')).toBe(bytes + 1000);

  const running = Array.from({ length: 50 }, (_, index) =>
    completions.append(completionRecord({ id: `chatcmpl-during-${index}` })),
  );
  expect((await client.query('select recount_stored_bytes()::int as corrected')).rows).toEqual([{ corrected: 2 }]);
  await Promise.all(running);
  expect((await client.query(miscountedProjects)).rows).toEqual([]);
  expect(await stores.keys.storageBytes('gone')).toBe(0);
});

test('writes of a project at its limit leave connections to those of others', async () => {
  const { replicas, client } = await open(1);
  const [stores] = replicas;
  if (!stores) throw new Error('no store');
  await stores.keys.addProject(projectRecord({ id: 'limited' }));
  await client.query(`begin; select id from projects where id = 'limited' for update`);
  let stored = 0;
  const limited = Array.from({ length: 30 }, async (_, index) => {
    const record = completionRecord({ id: `chatcmpl-${index}` });
    await stores.project('limited').completions.append(record, { maxProjectBytes: 1_000_000 });
    stored++;
  });
  await stores.project('other').completions.append(completionRecord({ id: 'chatcmpl-other' }));
  expect(stored).toBe(0);
  await client.query('commit');
  await Promise.all(limited);
  expect(stored).toBe(30);
});
