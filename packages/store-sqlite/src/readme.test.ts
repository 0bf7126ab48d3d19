import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStores } from './index.ts';
import type { SqliteStoresOptions } from './index.ts';

/** The example as a function of what it imports and uses. */
type Run = (...values: unknown[]) => Promise<void>;

test('the example of the README keeps a completion and finds it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-readme-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '').replace(/^import .*$/m, '');
  const logged: unknown[][] = [];
  const run = compileFunction(`return (async () => {${example}})()`, ['openSqliteStores', 'console']) as Run;
  await run((options: SqliteStoresOptions) => openSqliteStores({ ...options, path: join(folder, options.path) }), {
    log: (...values: unknown[]) => logged.push(values),
  });
  expect(logged).toEqual([[1, false]]);
  expect((await stat(join(folder, 'data/modelwire.db'))).size).toBeGreaterThan(0);
});
