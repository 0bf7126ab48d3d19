import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { readmeExample, runReadmeExample } from '@modelwire/vitest/readme';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, startTestServer } from '../test/test-server.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

test.each([
  ['of the client', 0, 'true stop\n'],
  ['of validation', 1, 'true\n'],
])('the example %s runs and prints the documented output', async (_, index, printed) => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const { baseURL } = server;
  expect((await readmeExample(import.meta.url, index)).split('\n').length).toBeLessThan(15);
  const { stdout } = await runReadmeExample(import.meta.url, {
    ...{ index, env: { MODELWIRE_API_KEY: apiKey, MODELWIRE_BASE_URL: baseURL } },
    ...(index === 0 && { baseURL }),
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
