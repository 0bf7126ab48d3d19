import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, serve } from './testing/serve.ts';

test('the example of the README runs and prints the documented output, over a real port', async () => {
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
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL, env: { MODELWIRE_API_KEY: apiKey } });
  expect(stdout).toBe('100 % true\ntrue\n');
});
