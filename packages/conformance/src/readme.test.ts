import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, serve } from './testing/serve.ts';

test('The example of the README runs and prints what it says, over a real port', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const served = await serve();
  const http = createServer((request, response) => void listener(request, response));
  const listener = getRequestListener((request) => served.fetch(request));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    http.closeAllConnections();
    http.close();
    await served.close();
  });
  const baseURL = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example
    .replace("'@modelwire/conformance'", JSON.stringify(entry))
    .replace('http://127.0.0.1:8787/v1', baseURL);
  expect(script).toContain(entry);
  expect(script).toContain(baseURL);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MODELWIRE_API_KEY: apiKey },
  });
  expect(stdout).toBe('100 % true\ntrue\n');
});
