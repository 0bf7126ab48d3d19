import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { databasePath } from './testing/folder.ts';

const run = promisify(execFile);

test('the built package finds its thread script as JavaScript', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  // Inside the package, so that its dependencies can be resolved.
  const built = `${root}node_modules/.built-for-test`;
  onTestFinished(() => rm(built, { recursive: true, force: true }));
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', built], { cwd: root });
  expect(await readFile(`${built}/thread.js`, 'utf8')).toContain('connection.js');
  const script = `
    const { openSqliteStores } = await import(${JSON.stringify(`${built}/index.js`)});
    const stores = await openSqliteStores({ path: ${JSON.stringify(await databasePath())} });
    await stores.keys.addProject({ id: 'p', name: 'P', created: 1, archived: null, requestsPerMinute: 1, tokensPerMinute: null, allowedModels: null, maxOutputTokens: null, storageLimitBytes: null });
    await stores.close();
    console.log('done');`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' });
});
