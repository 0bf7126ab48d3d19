import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { beginPost } from '../testing/begin-post.ts';
import { adapters, key, listen } from '../testing/listen.ts';
import type { Adapter, Listening } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

const engine = () => scriptedEngine(() => says('Hi'));
const kilobytes = (count: number) => ' '.repeat(count * 1024);

const begin = (listening: Listening, sent: string, length?: number) =>
  beginPost(listening, '/v1/chat/completions', sent, length);
const ask = { model: 'scripted', messages: [{ role: 'user', content: kilobytes(300) }] };
const patient = { timeout: 20_000 };

/** Whether a body of 300 KiB finds memory. */
async function statusOf({ post }: Listening): Promise<number> {
  const response = await post(ask);
  await response.text();
  return response.status;
}

/** Begins a body of 800 KiB, and resolves when no memory is left for another one. If both arrive together, the first may be refused: begins again. */
async function exhaustMemory(listening: Listening): Promise<ReturnType<typeof begin>> {
  let body = begin(listening, kilobytes(800));
  const status = (): Promise<number> => {
    if (body.received !== '') body = begin(listening, kilobytes(800));
    return statusOf(listening);
  };
  await expect.poll(status, patient).toBe(503);
  return body;
}

describe.each(adapters)('by way of %s', (adapter: Adapter) => {
  test('returns 408 when the client stops sending its body', async () => {
    const listening = await listen({ engines: [engine()], uploadIdleTimeoutMs: 50 }, adapter);
    const body = begin(listening, '{');
    await expect.poll(() => body.received, patient).toContain('request_timeout');
    expect(body.received).toMatch(/^HTTP\/1\.1 408 /);
    await expect.poll(() => listening.server.stats().requestsInFlight).toBe(0);
  });

  test('returns 408 for a body that takes too long in total', async () => {
    const listening = await listen({ engines: [engine()], uploadTimeoutMs: 200 }, adapter);
    const body = begin(listening, '{');
    const timer = setInterval(() => body.socket.write(' '), 10);
    onTestFinished(() => clearInterval(timer));
    await expect.poll(() => body.received, patient).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('closes 300 connections whose bodies never end', async () => {
    const listening = await listen({ engines: [engine()], uploadIdleTimeoutMs: 500 }, adapter);
    const bodies = Array.from({ length: 300 }, () => begin(listening, '{"model":'));
    await expect
      .poll(() => bodies.filter(({ received }) => received.startsWith('HTTP/1.1 408 ')).length, patient)
      .toBe(300);
    await expect.poll(() => listening.server.stats().requestsInFlight).toBe(0);
  });

  test('bytes of unfinished bodies count towards the memory limit; beyond it, returns 503 with Retry-After', async () => {
    const listening = await listen({ engines: [engine()], maxBufferedBytes: 1024 * 1024 }, adapter);
    const first = await exhaustMemory(listening);
    const refused = await listening.post(ask);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } });
    expect(first.received).toBe('');
  });

  test('refuses a body while it is sent if memory is exhausted, and releases its reservation', async () => {
    const listening = await listen({ engines: [engine()], maxBufferedBytes: 1024 * 1024 }, adapter);
    const first = begin(listening, kilobytes(600));
    await expect.poll(() => listening.server.stats().requestsInFlight).toBe(1);
    const second = begin(listening, kilobytes(600));
    await expect.poll(() => [first, second].filter(({ received }) => received.includes('overloaded')).length).toBe(1);
    await expect.poll(() => statusOf(listening), patient).toBe(200);
  });

  test('returns 503 for a body that is unfinished at the end of the drain timeout', async () => {
    const listening = await listen({ engines: [engine()] }, adapter);
    const body = begin(listening, '{');
    await expect.poll(() => listening.server.stats().requestsInFlight).toBe(1);
    await listening.server.drain(50);
    await expect.poll(() => body.received, patient).toMatch(/^HTTP\/1\.1 503 [^]*shutting_down/);
    expect(listening.server.stats().requestsInFlight).toBe(0);
  });

  test('releases the memory of a client that disconnects', async () => {
    const listening = await listen({ engines: [engine()], maxBufferedBytes: 1024 * 1024 }, adapter);
    const body = await exhaustMemory(listening);
    body.socket.destroy();
    await expect.poll(() => statusOf(listening), patient).toBe(200);
    await expect.poll(() => listening.server.stats().requestsInFlight).toBe(0);
  });

  test('a body sent in chunks of one byte is read as a whole', async () => {
    const { url } = await listen({ engines: [engine()] }, adapter);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString()));
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    const body = Buffer.from(JSON.stringify({ ...ask, messages: [{ role: 'user', content: 'x'.repeat(10_000) }] }));
    socket.write(Array.from(body, (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('') + '0\r\n\r\n');
    await expect.poll(() => received, patient).toContain('HTTP/1.1 200 ');
  });

  test('a single body may be larger than the memory limit', async () => {
    const listening = await listen({ engines: [engine()], maxBufferedBytes: 1024 }, adapter);
    expect(await statusOf(listening)).toBe(200);
  });
});
