import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { fakeServer } from '../test/fake-server.ts';
import type { RequestHandler } from '../test/fake-server.ts';
import { getText } from './get-text.ts';

async function get(handler: RequestHandler, maxBytes = 1000) {
  const fake = await fakeServer(handler);
  onTestFinished(() => fake.close());
  const reply = getText(`${fake.baseURL}/models`, {
    headers: { authorization: 'Bearer k' },
    signal: AbortSignal.timeout(10_000),
    maxBytes,
  });
  return { reply: await reply.catch((error: unknown) => error), requests: fake.requests };
}

test('returns the text of a server with its status and headers', async () => {
  const { reply, requests } = await get((response) => response.setHeader('server', 'x').end('\uFEFF["ä"]'));
  expect(reply).toMatchObject({ status: 200, headers: { server: 'x' }, text: '["ä"]' });
  expect(requests).toMatchObject([{ path: '/v1/models', headers: { authorization: 'Bearer k' } }]);
});

test('decompresses what a server compresses without being asked', async () => {
  const { reply, requests } = await get((response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync('a'.repeat(500))),
  );
  expect(reply).toMatchObject({ text: 'a'.repeat(500) });
  expect(requests[0]?.headers).not.toHaveProperty('accept-encoding');
});

test.each<[string, RequestHandler]>([
  ['a larger reply', (response) => response.end('x'.repeat(1001))],
  [
    'a reply that is larger when decompressed',
    (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('a'.repeat(5000))),
  ],
])('throws for %s than allowed', async (_, handler) => {
  expect((await get(handler)).reply).toEqual(new Error('more than 1000 bytes'));
});

test('does not follow a redirect, and reads no error', async () => {
  const { reply, requests } = await get((response) => response.writeHead(302, { location: '/v1/other' }).end('moved'));
  expect(reply).toMatchObject({ status: 302, text: '' });
  expect(requests).toHaveLength(1);
});
