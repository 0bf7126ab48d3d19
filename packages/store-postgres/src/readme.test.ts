import { readFile } from 'node:fs/promises';
import { compileFunction } from 'node:vm';
import { expect, test } from 'vitest';
import { openPostgresStores } from './index.ts';
import type { PostgresStoresOptions } from './index.ts';
import { freshSchema, url } from './testing/schema.ts';

/** The example as a function of what it imports and uses. */
type Run = (...values: unknown[]) => Promise<void>;

test('the example of the README keeps a completion and finds it', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '').replace(/^import .*$/m, '');
  const logged: unknown[][] = [];
  const run = compileFunction(`return (async () => {${example}})()`, [
    'openPostgresStores',
    'process',
    'console',
  ]) as Run;
  await run(
    (options: PostgresStoresOptions) => openPostgresStores({ ...options, schema: freshSchema() }),
    { env: { DATABASE_URL: url } },
    { log: (...values: unknown[]) => logged.push(values) },
  );
  expect(logged).toEqual([[1, false]]);
});
