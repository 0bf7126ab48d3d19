import pg from 'pg';
import { completionRecord } from '@modelwire/ports/suites/stores';
import { miscountedProjects } from '@modelwire/store-sql/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStores } from './postgres-stores.ts';
import { freshSchema, url } from './testing/schema.ts';

test('counters of stored bytes are merged while replicas store and delete, and stay exact', async () => {
  const schema = freshSchema();
  const replicas = [await openPostgresStores({ url, schema }), await openPostgresStores({ url, schema })];
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await Promise.all(replicas.map((stores) => stores.close()));
  });
  await client.query(`set search_path to ${schema}`);

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
