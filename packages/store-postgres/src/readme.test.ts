import { evaluateExample, readmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { openPostgresStores as openStores } from './index.ts';
import type { PostgresStoresOptions } from './index.ts';
import { freshSchema, url } from './testing/schema.ts';

test('the example of the README stores a completion and finds it', async () => {
  const openPostgresStores = (options: PostgresStoresOptions) => openStores({ ...options, schema: freshSchema() });
  const values = { openPostgresStores, process: { env: { DATABASE_URL: url } } };
  expect(await evaluateExample(await readmeExample(import.meta.url), values)).toEqual([[1, false]]);
});
