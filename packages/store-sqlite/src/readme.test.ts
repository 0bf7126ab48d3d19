import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluateExample, readmeExample } from '@modelwire/vitest/readme';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStores as openStores } from './index.ts';
import type { SqliteStoresOptions } from './index.ts';

test('the example of the README stores a completion and finds it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const openSqliteStores = (options: SqliteStoresOptions) =>
    openStores({ ...options, path: join(folder, options.path) });
  expect(await evaluateExample(await readmeExample(import.meta.url), { openSqliteStores })).toEqual([[1, false]]);
  expect((await stat(join(folder, 'data/modelwire.db'))).size).toBeGreaterThan(0);
});
