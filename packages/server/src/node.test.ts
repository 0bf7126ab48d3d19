import { createServer as createHttp } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, onTestFinished, test } from 'vitest';
import { nodeListener } from './node.ts';
import { createServer } from './server.ts';

test('a response that cannot be written closes its connection and is reported, and the next request is served', async () => {
  const reported: string[] = [];
  const server = createServer({ engines: [], keys: 'open', report: (what) => reported.push(what) });
  const headerValues = { '/ok': 'fine', '/invalid': '暴力' };
  // A server whose handler returns a header that HTTP does not allow.
  const invalidServer = {
    ...server,
    findRoute: (_method: string, path: string) => ({
      params: {},
      handle: () =>
        Promise.resolve({
          status: 200,
          headers: { 'x-test': headerValues[path === '/invalid' ? '/invalid' : '/ok'] },
          body: '{}',
        }),
    }),
  };
  const http = createHttp(nodeListener(invalidServer));
  const url = `http://${await listenForTest(http)}`;
  onTestFinished(() => server.close(10));
  await expect(fetch(`${url}/invalid`)).rejects.toThrow();
  expect(reported).toEqual(['a response could not be written']);
  expect((await fetch(`${url}/ok`)).status).toBe(200);
});
