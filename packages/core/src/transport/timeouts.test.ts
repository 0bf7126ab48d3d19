import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { json, serve, sleep, startEvents } from '../../test/server.ts';
import { asResponse } from './response-reader.ts';
import { asStream } from '../streams/stream.ts';
import { createTransport } from './transport.ts';

const list = { method: 'GET', path: '/things' } as const;
const noRetries = { maxRetries: 0 };

describe('timeouts', () => {
  test('headers: no response headers', async () => {
    const server = await serve(() => undefined);
    const transport = createTransport({ baseURL: server.baseURL, timeouts: { headers: 40 }, ...noRetries });
    await expect(transport.request(list)).rejects.toMatchObject({
      name: 'TimeoutError',
      phase: 'headers',
      requestId: undefined,
    });
  });

  test('headers: also with a fetch that ignores its signal', async () => {
    const transport = createTransport({
      fetch: () => new Promise(() => undefined),
      timeouts: { headers: 20 },
      ...noRetries,
    });
    await expect(transport.request(list)).rejects.toMatchObject({ name: 'TimeoutError', phase: 'headers' });
  });

  test('first_byte: headers but no body', async () => {
    const server = await serve((response) => startEvents(response));
    const transport = createTransport({ baseURL: server.baseURL, timeouts: { firstByte: 40 }, ...noRetries });
    for (const answer of [asStream(), undefined]) {
      await expect(transport.request(list, {}, answer)).rejects.toMatchObject({
        name: 'TimeoutError',
        phase: 'first_byte',
        status: 200,
        requestId: expect.stringContaining('req_') as string,
      });
    }
  });

  test('idle: a pause within a body', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-length': '9' });
      response.write('{"a"');
    });
    const transport = createTransport({ baseURL: server.baseURL, timeouts: { idle: 40 }, ...noRetries });
    await expect(transport.request(list)).rejects.toMatchObject({
      name: 'TimeoutError',
      phase: 'idle',
      requestId: 'req_1',
    });
    const raw = await transport.request(list, {}, asResponse);
    await expect(raw.text()).rejects.toMatchObject({ name: 'TimeoutError', phase: 'idle', requestId: 'req_2' });
  });

  test('of one attempt lead to a retry', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let count = 0;
    const transport = createTransport({
      async fetch() {
        count += 1;
        if (count === 1) return new Promise(() => undefined);
        return count === 2 ? new Response(new ReadableStream()) : Response.json({ ok: true });
      },
      timeouts: { headers: 1000, firstByte: 1000 },
      backoff: () => 0,
    });
    const replied = transport.request(list).withResponse();
    await vi.runAllTimersAsync();
    const { data, attempts } = await replied;
    expect(data).toEqual({ ok: true });
    expect(attempts.map(({ error }) => error)).toEqual([
      'The headers timeout of 1000 ms expired.',
      'The first_byte timeout of 1000 ms expired.',
      undefined,
    ]);
  });

  test('total: over all attempts and the delays between them', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = vi.fn(async () => Response.json({}, { status: 500 }));
    const transport = createTransport({ fetch, timeouts: { total: 3000 }, maxRetries: 100, backoff: () => 700 });
    const failed = expect(transport.request(list)).rejects.toMatchObject({ name: 'TimeoutError', phase: 'total' });
    await vi.advanceTimersByTimeAsync(2999);
    expect(fetch).toHaveBeenCalledTimes(5);
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(fetch).toHaveBeenCalledTimes(5);
  });

  test('can be set for one call, and 0 disables one', async () => {
    const server = await serve((response) => void setTimeout(() => json(response, {}), 60));
    const transport = createTransport({ baseURL: server.baseURL, timeouts: { headers: 20 }, ...noRetries });
    expect(await transport.request(list, { timeouts: { headers: 0, total: Infinity } })).toEqual({});
  });
});

describe("the caller's signal", () => {
  test('sends nothing when it is already aborted', async () => {
    const server = await serve((response) => json(response, {}));
    const transport = createTransport({ baseURL: server.baseURL });
    const signal = AbortSignal.abort(new Error('why'));
    await expect(transport.request(list, { signal })).rejects.toMatchObject({
      name: 'AbortError',
      cause: new Error('why'),
    });
    expect(server.received).toHaveLength(0);
  });

  test('aborts a pending request, and the server sees it', async () => {
    let hasDisconnected = false;
    const controller = new AbortController();
    const server = await serve((response) => {
      response.on('close', () => (hasDisconnected = true));
      controller.abort();
    });
    const transport = createTransport({ baseURL: server.baseURL });
    await expect(transport.request(list, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
      attempts: { length: 1 },
    });
    await expect.poll(() => hasDisconnected).toBe(true);
  });

  test('aborts the delay before a retry', async () => {
    const controller = new AbortController();
    const server = await serve((response) => {
      json(response, {}, 500);
      setTimeout(() => controller.abort(), 20);
    });
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 60_000 });
    await expect(transport.request(list, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('aborts a key function and a middleware that never settle', async () => {
    const never = new Promise<never>(() => undefined);
    for (const options of [{ apiKey: () => never }, { middleware: [() => never] }]) {
      const controller = new AbortController();
      const waiting = createTransport(options).request(list, { signal: controller.signal });
      controller.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    }
  });

  test('aborts a raw body', async () => {
    const server = await serve((response) => void response.write('x'));
    const controller = new AbortController();
    const transport = createTransport({ baseURL: server.baseURL });
    const response = await transport.request(list, { signal: controller.signal }, asResponse);
    setTimeout(() => controller.abort(), 10);
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('has no listener left after a call, whatever its result', async () => {
    const server = await serve((response, { url }) => {
      if (url === '/v1/bad') json(response, {}, 400);
      else if (url === '/v1/raw') response.end('x');
      else if (url === '/v1/events') {
        startEvents(response);
        response.end('data: {}\n\ndata: {}\n\ndata: [DONE]\n\n');
      } else json(response, {});
    });
    const { signal } = new AbortController();
    const transport = createTransport({ baseURL: server.baseURL });
    const get = <P extends string>(path: P) => ({ method: 'GET', path }) as const;
    const listeners = (): number => getEventListeners(signal, 'abort').length;

    await transport.request(list, { signal });
    await transport.request(get('/bad'), { signal }).catch(() => undefined);
    await transport.request(get('/{x}'), { signal, params: { x: '' } }).catch(() => undefined);
    const raw = await transport.request(get('/raw'), { signal }, asResponse);
    expect(listeners()).toBe(1);
    await raw.text();
    const events = await transport.request(get('/events'), { signal }, asStream());
    expect(listeners()).toBe(1);
    for await (const event of events) expect(event).toEqual({});
    for await (const event of await transport.request(get('/events'), { signal }, asStream())) {
      expect(event).toEqual({});
      break;
    }
    expect(listeners()).toBe(0);
  });

  test('cancels a response that arrives after the abort', async () => {
    let cancelled = false;
    const body = new ReadableStream({ cancel: () => void (cancelled = true) });
    const transport = createTransport({ fetch: () => sleep(30).then(() => new Response(body)) });
    const controller = new AbortController();
    const waiting = transport.request(list, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => cancelled).toBe(true);
  });
});

test('the body of an unsuccessful response is cancelled before the retry', async () => {
  let cancelled = 0;
  const cancelledBefore: number[] = [];
  const transport = createTransport({
    async fetch() {
      cancelledBefore.push(cancelled);
      return new Response(new ReadableStream({ cancel: () => void (cancelled += 1) }), { status: 503 });
    },
    maxRetries: 1,
    backoff: () => 0,
    timeouts: { firstByte: 10 },
  });
  await expect(transport.request(list)).rejects.toMatchObject({
    name: 'ServerError',
    status: 503,
    attempts: { length: 2 },
  });
  expect(cancelledBefore).toEqual([0, 1]);
  expect(cancelled).toBe(2);
});

test('cancelling a raw response frees its connection and its listener', async () => {
  let hasDisconnected = false;
  const server = await serve((response) => {
    response.on('close', () => (hasDisconnected = true));
    response.write('x');
  });
  const { signal } = new AbortController();
  const raw = await createTransport({ baseURL: server.baseURL }).request(list, { signal }, asResponse);
  await raw.body?.cancel();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  await expect.poll(() => hasDisconnected).toBe(true);
});
