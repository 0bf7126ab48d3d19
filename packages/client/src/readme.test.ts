import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, openKit } from '../test/kit.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

test.each([
  ['of the client', 0, 'true stop\n'],
  ['of validation', 1, 'true\n'],
])('The example %s runs and prints what it says', async (_, at, printed) => {
  const kit = await openKit();
  onTestFinished(() => kit.close());
  const [, example = ''] = [...readme.matchAll(/```ts\n([^]*?)```/g)][at] ?? [];
  expect(example.split('\n').length).toBeLessThan(15);
  const script = example
    .replace("'@modelwire/client/validate'", JSON.stringify(new URL('validate/index.ts', import.meta.url).href))
    .replace("'@modelwire/client'", JSON.stringify(new URL('index.ts', import.meta.url).href))
    .replace('http://127.0.0.1:8787/v1', kit.baseURL);
  expect(script).not.toMatch(/'@modelwire|127\.0\.0\.1:8787/);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: packageDir,
    env: { ...process.env, MODELWIRE_API_KEY: apiKey, MODELWIRE_BASE_URL: kit.baseURL },
  });
  expect(stdout).toBe(printed);
});

test('Node loads the validator by its package name', async () => {
  const script = `
    import { Modelwire } from '@modelwire/client';
    const client = new Modelwire({ validate: 'throw', inspect: () => console.log('seen'), fetch: async () => Response.json({}) });
    await client.models.list().then(undefined, (error) => console.log(error.name));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: packageDir,
  });
  expect(stdout).toBe('seen\nInvalidResponseError\n');
});
