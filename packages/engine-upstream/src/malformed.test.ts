import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChatEngine, RequestError } from '@modelwire/ports';
import { engineRequest, drain, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import { chunk, completion, fakeServer, frames, json } from '../test/fake-server.ts';
import type { FakeServer } from '../test/fake-server.ts';
import { createUpstream } from './upstream.ts';

let raw: Server;
let good: FakeServer;
let engine: ChatEngine;
let requestCount: number;

/** Server `a` responds with these bytes; `b`, its fallback, is valid. */
async function start(bytes: string, options: { readonly alone?: boolean; readonly failures?: number } = {}) {
  requestCount = 0;
  raw = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requestCount += 1;
      socket.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(raw, 'listening');
  good = await fakeServer((response) => json(response, 200, completion));
  const { port } = raw.address() as AddressInfo;
  engine = createUpstream({
    upstreams: [
      { name: 'a', baseURL: `http://127.0.0.1:${port}/v1`, timeouts: { firstByte: 30_000 } },
      { name: 'b', baseURL: good.baseURL },
    ],
    models: { m: { upstreams: ['a'], fallback: options.alone === true ? [] : ['b'] } },
    circuitBreaker: { failures: options.failures ?? 5, cooldownMs: 60_000 },
  });
}

afterEach(async () => {
  await engine.close?.();
  raw.close();
  await good.close();
});

const ok = 'HTTP/1.1 200 OK\r\n';
const cases = [
  ['two lengths', `${ok}content-length: 2\r\ncontent-length: 2\r\n\r\n{}`],
  ['a length and chunks', `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
  ['a length below 0', `${ok}content-length: -2\r\n\r\n{}`],
  ['headers too large', `${ok}x-large: ${'a'.repeat(20_000)}\r\n`],
  ['a line that is no header', `${ok}bad header\r\n\r\n`],
  ['a NUL in a header', `${ok}x: a\0b\r\n\r\n`],
  ['status 101', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ['status 0', 'HTTP/1.1 000 Odd\r\n\r\n'],
  ['interim replies without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(17)],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['bytes', '\u0015\u0003\u0001\u0000\u0002\u0002F'],
  ['a body alone', JSON.stringify(completion)],
] as const;

describe('a reply that is not valid HTTP', () => {
  test.each(cases)('is a 502 upstream_error without a retry on the same server: %s', async (_, bytes) => {
    await start(bytes, { alone: true });
    const failure: RequestError = await rejection(relayWhole(engine, engineRequest()));
    expect(failure).toMatchObject({ status: 502, type: 'server_error', code: 'upstream_error' });
    expect(failure.message).toContain('sent an unexpected reply');
    expect(requestCount).toBe(1);
  });

  test('is retried on another server', async () => {
    await start(cases[0][1]);
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(requestCount).toBe(1);
  });

  test('counts as a failure for the circuit breaker', async () => {
    await start(cases[0][1], { failures: 1 });
    for (let index = 0; index < 3; index++) await relayWhole(engine, engineRequest());
    expect(requestCount).toBe(1);
    expect(good.requests).toHaveLength(3);
  });
});

test('skips interim replies', async () => {
  const body = JSON.stringify(completion);
  const interimReplies = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3);
  await start(`${interimReplies}${ok}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
  expect(good.requests).toEqual([]);
});

test('uses the first of two content-type headers', async () => {
  const body = frames(chunk({ content: 'a' }, 'stop'), '[DONE]');
  const types = 'content-type: text/event-stream\r\ncontent-type: text/plain\r\n';
  await start(`${ok}${types}content-length: ${body.length}\r\n\r\n${body}`);
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  expect(await drain(stream)).toEqual({ payloads: [chunk({ content: 'a' }, 'stop')] });
});
