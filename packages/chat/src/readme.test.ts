import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hello, helloWhole } from '../test/chunks.ts';
import { json, sendAll, serve } from '../test/server.ts';

test('The example of the README runs and prints what it says', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const { baseURL } = await serve((response, { body }) => {
    if (JSON.stringify(body).includes('"stream":true')) sendAll(response, hello);
    else json(response, helloWhole);
  });
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example
    .replace("'@modelwire/chat'", JSON.stringify(entry))
    .replace('http://127.0.0.1:8787/v1', baseURL);
  expect(script).toContain(entry);
  expect(script).toContain(baseURL);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MODELWIRE_API_KEY: 'test-key-1234' },
  });
  expect(stdout).toBe('Hello there\nHello there\n7 tokens\n');
});
