import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sqlStores, sqliteBuilder } from './index.ts';

test('the example of the README is a store that works', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '').replaceAll(/^import .*$/gm, '');
  const db = new DatabaseSync(':memory:');
  function open() {
    return db;
  }
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the README is ours
  await new Function('DatabaseSync', 'sqlStores', 'sqliteBuilder', `return (async () => {${example}})()`)(
    open,
    sqlStores,
    sqliteBuilder,
  );
  expect(db.prepare('select * from projects').all()).toMatchObject([{ id: 'default', requests_per_minute: 60 }]);
});
