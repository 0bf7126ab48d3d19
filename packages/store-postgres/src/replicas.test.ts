import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openPostgresStores } from './postgres-stores.ts';
import { freshSchema, url } from './testing/schema.ts';

interface Written {
  readonly ids: readonly string[];
  readonly claimedKeys: readonly string[];
}

test('concurrent writes of four processes to an empty database are neither lost nor duplicated', async () => {
  const schema = freshSchema();
  const script = new URL('./testing/writer.ts', import.meta.url).pathname;
  const written = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      const env = { ...process.env, URL: url, SCHEMA: schema, NAME: name };
      const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
      return JSON.parse(stdout) as Written;
    }),
  );
  const ids = written.flatMap((one) => one.ids);
  expect(ids).toHaveLength(4 * 8 * 25);

  const stores = await openPostgresStores({ url, schema });
  const { completions } = stores.project('p');
  const list = { limit: 10_000, order: 'asc' } as const;
  const found = (await completions.list(list))?.items.map(({ id }) => id) ?? [];
  expect(found.toSorted()).toEqual(ids.toSorted());
  const ofOne = await completions.list({ ...list, metadata: { name: 'c' } });
  expect(ofOne?.items.map(({ id }) => id).toSorted()).toEqual(written[2]?.ids.toSorted());
  // All four processes claimed each of the 200 keys.
  const claimedKeys = written.flatMap((one) => one.claimedKeys);
  expect(new Set(claimedKeys).size).toBe(200);
  expect(claimedKeys).toHaveLength(200);
  const total = { requests: 800, inputTokens: 800, outputTokens: 1600, cachedTokens: 2400, costMicros: 3200 };
  expect(await stores.usage.read({ from: 0, to: 1 })).toEqual(
    ['a', 'b'].map((model) => ({ day: 0, project: 'p', keyId: 'k', model, ...total })),
  );
  await stores.close();
});
