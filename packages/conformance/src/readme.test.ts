import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { listenForTest } from '@modelwire/vitest/listen';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, serve } from './testing/serve.ts';

test('the example of the README runs and prints the documented output, over a real port', async () => {
  const served = await serve();
  // The listener replaces them for the whole process, in which other files run after this one.
  const { Request, Response } = globalThis;
  onTestFinished(() => void Object.assign(globalThis, { Request, Response }));
  const listener = getRequestListener((request) => served.fetch(request));
  const host = await listenForTest(createServer((request, response) => void listener(request, response)));
  onTestFinished(() => served.close());
  const baseURL = `http://${host}/v1`;
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL, env: { MODELWIRE_API_KEY: apiKey } });
  expect(stdout).toBe('100 % true\ntrue\n');
});
