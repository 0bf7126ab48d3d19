import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { compileFunction } from 'node:vm';
import { expect, test } from 'vitest';
import { sqlStores, sqliteBuilder } from './index.ts';

/** The example as a function of what it imports and uses. */
type Run = (...values: unknown[]) => Promise<void>;

test('the example of the README is a store that works', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '').replaceAll(/^import .*$/gm, '');
  const db = new DatabaseSync(':memory:');
  function open() {
    return db;
  }
  const run = compileFunction(`return (async () => {${example}})()`, [
    'DatabaseSync',
    'sqlStores',
    'sqliteBuilder',
  ]) as Run;
  await run(open, sqlStores, sqliteBuilder);
  expect(db.prepare('select * from projects').all()).toMatchObject([{ id: 'default', requests_per_minute: 60 }]);
});
