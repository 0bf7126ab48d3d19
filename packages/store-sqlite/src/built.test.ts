import { readFile } from 'node:fs/promises';
import { buildPackage } from '@modelwire/vitest/built-package';
import { expect, test } from 'vitest';
import { databasePath } from './testing/folder.ts';

test('the built package finds its thread script as JavaScript', async () => {
  const built = await buildPackage(import.meta.url);
  expect(await readFile(`${built.folder}/threads/thread.js`, 'utf8')).toContain('connection.js');
  const script = `
    const { openSqliteStores } = await import(${JSON.stringify(`${built.folder}/index.js`)});
    const stores = await openSqliteStores({ path: ${JSON.stringify(await databasePath())} });
    await stores.keys.addProject({ id: 'p', name: 'P', created: 1, archived: null, requestsPerMinute: 1, tokensPerMinute: null, allowedModels: null, maxOutputTokens: null, storageLimitBytes: null });
    await stores.close();
    console.log('done');`;
  const { stdout, stderr } = await built.run(script);
  expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' });
});
