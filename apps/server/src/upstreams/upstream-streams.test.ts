import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { errorOf } from '../testing/api-error.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;
type Timeouts = { readonly firstByte?: number; readonly idle?: number };

/** A server in front of an upstream `box` with the model `small`, which responds to `POST` with `respond`. */
async function serve(respond: Respond, timeouts: Timeouts = {}): Promise<TestServer> {
  const upstream = createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(404).end();
    request.resume();
    return request.once('end', () => respond(response, request));
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  const server = await startTestServer({
    simulator: false,
    upstreams: [{ name: 'box', baseURL: `http://127.0.0.1:${port}/v1`, timeouts }],
    models: { small: {} },
  });
  onTestFinished(async () => {
    await server.stop();
    upstream.closeAllConnections();
    upstream.close();
  });
  return server;
}

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

const question = { model: 'small', messages: [{ role: 'user' as const, content: 'Hi' }] };

/** The raw reply to a streamed request. */
function stream({ url }: TestServer, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...question, stream: true }),
    ...(signal && { signal }),
  });
}

test.each<[what: string, end: (response: ServerResponse) => unknown, code: string, message: string]>([
  [
    'is cut off',
    (response) => response.socket?.resetAndDestroy(),
    'upstream_stream_interrupted',
    "The upstream 'box' ended its reply early.",
  ],
  [
    'ends without finish_reason and [DONE]',
    (response) => response.end(),
    'upstream_incomplete',
    "The upstream 'box' ended its reply before it was complete.",
  ],
  [
    'fails with an error frame',
    (response) => response.end('data: {"error":{"message":"slot unavailable","type":"server_error","code":500}}\n\n'),
    'upstream_error',
    'slot unavailable',
  ],
])('a stream that %s ends with an error frame, and without [DONE]', async (_, end, code, message) => {
  let fail = (): unknown => undefined;
  const server = await serve((response) => {
    begin(response).write(chunk('Half'));
    fail = () => end(response);
  });
  const response = await stream(server);
  fail();
  const text = await response.text();
  expect([response.status, response.headers.get('x-modelwire-upstream')]).toEqual([200, 'box']);
  expect(text).toContain('Half');
  const last = text.trim().split('\n\n').at(-1) ?? '';
  expect(JSON.parse(last.slice('data: '.length))).toMatchObject({ error: { message, code } });
  expect(text).not.toContain('[DONE]');
  const events = await server.client.chat.completions.create({ ...question, stream: true });
  fail();
  await expect(Array.fromAsync(events)).rejects.toThrow(message);
});

test('an upstream that does not respond in time is a 504 without a retry', async () => {
  let requestCount = 0;
  const server = await serve(() => (requestCount += 1), { firstByte: 200 });
  expect(await errorOf(server.client.chat.completions.create(question))).toMatchObject({
    status: 504,
    code: 'upstream_timeout',
  });
  expect(requestCount).toBe(1);
});

test('a stream that stalls ends with upstream_timeout', async () => {
  const server = await serve((response) => begin(response).write(chunk('Half')), { idle: 300 });
  const text = await (await stream(server)).text();
  expect(text).toContain('Half');
  expect(text).toContain('"code":"upstream_timeout"');
});

test('a client that disconnects ends the request at the upstream', async () => {
  let closed: Promise<unknown> | undefined;
  const server = await serve((response) => {
    closed = once(response, 'close');
    begin(response).write(chunk('Half'));
  });
  const controller = new AbortController();
  const response = await stream(server, controller.signal);
  await response.body?.getReader().read();
  controller.abort();
  expect(await closed).toBeDefined();
});

test('a 429 keeps its retry headers, and is not retried', async () => {
  let requestCount = 0;
  const server = await serve((response) => {
    requestCount += 1;
    const headers = { 'content-type': 'application/json', 'retry-after': '7', 'x-ratelimit-remaining-tokens': '0' };
    response.writeHead(429, headers).end('{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}');
  });
  const error = await errorOf(server.client.chat.completions.create(question));
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  expect(error.message).toContain('Slow down');
  const names = ['retry-after', 'x-ratelimit-remaining-tokens', 'x-modelwire-upstream'];
  expect(names.map((name) => error.headers?.get(name))).toEqual(['7', '0', 'box']);
  expect(requestCount).toBe(1);
});

test('a client that stops reading pauses the upstream', async () => {
  const piece = chunk('x'.repeat(64 * 1024));
  const pieces = 4096;
  let written = 0;
  let closed: Promise<unknown> | undefined;
  const server = await serve(async (response) => {
    closed = once(response, 'close');
    begin(response);
    for (; written < pieces && !response.destroyed; written++) {
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
    }
  });
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  const body = JSON.stringify({ ...question, stream: true });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  // Until the buffers in between are full.
  for (let before = -1; before !== written;) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(written).toBeLessThan(pieces / 2);
  socket.destroy();
  await closed;
});
