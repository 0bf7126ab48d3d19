import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStores } from './index.ts';
import type { SqliteStoresOptions } from './index.ts';

test('the example of the README keeps a completion and finds it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '').replace(/^import .*$/m, '');
  const logged: unknown[][] = [];
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the README is ours
  await new Function('openSqliteStores', 'console', `return (async () => {${example}})()`)(
    (options: SqliteStoresOptions) => openSqliteStores({ ...options, path: join(folder, options.path) }),
    { log: (...values: unknown[]) => logged.push(values) },
  );
  expect(logged).toEqual([[1, false]]);
  expect((await stat(join(folder, 'data/modelwire.db'))).size).toBeGreaterThan(0);
});
