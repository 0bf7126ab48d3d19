import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openPostgresStores } from './index.ts';
import type { PostgresStoresOptions } from './index.ts';
import { freshSchema, url } from './testing/schema.ts';

test('the example of the README keeps a completion and finds it', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '').replace(/^import .*$/m, '');
  const logged: unknown[][] = [];
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the README is ours
  await new Function('openPostgresStores', 'process', 'console', `return (async () => {${example}})()`)(
    (options: PostgresStoresOptions) => openPostgresStores({ ...options, schema: freshSchema() }),
    { env: { DATABASE_URL: url } },
    { log: (...values: unknown[]) => logged.push(values) },
  );
  expect(logged).toEqual([[1, false]]);
});
