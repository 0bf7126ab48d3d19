import { describe, expect, test } from 'vitest';
import { json, serve } from '../../test/server.ts';
import { backoff, retryAfterMs } from './retry.ts';
import { createTransport } from './transport.ts';

const list = { method: 'GET', path: '/things' } as const;
const create = { method: 'POST', path: '/things' } as const;

describe('retries', () => {
  test.each([
    [408, 2],
    [409, 2],
    [429, 2],
    [500, 2],
    [503, 2],
    [599, 2],
    [400, 1],
    [401, 1],
    [404, 1],
    [422, 1],
  ])('status %i is sent %i times with one retry', async (status, times) => {
    const server = await serve((response) => json(response, {}, status));
    const transport = createTransport({ baseURL: server.baseURL, maxRetries: 1, backoff: () => 0 });
    await expect(transport.request(list)).rejects.toMatchObject({ status, attempts: { length: times } });
    expect(server.received).toHaveLength(times);
  });

  test('x-should-retry takes precedence over the status, both ways', async () => {
    const server = await serve((response, { url }) => {
      const shouldRetry = url === '/v1/no' ? 'false' : 'true';
      json(response, {}, shouldRetry === 'true' ? 400 : 500, { 'x-should-retry': shouldRetry });
    });
    const transport = createTransport({ baseURL: server.baseURL, maxRetries: 1, backoff: () => 0 });
    await expect(transport.request({ method: 'GET', path: '/no' })).rejects.toMatchObject({ attempts: { length: 1 } });
    await expect(transport.request({ method: 'GET', path: '/yes' })).rejects.toMatchObject({ attempts: { length: 2 } });
  });

  test('a connection that is refused or reset, before or within the response', async () => {
    const server = await serve((response, _, count) => {
      if (count === 1) response.destroy();
      else if (count === 2) {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"a":');
        setTimeout(() => response.destroy(), 5);
      } else json(response, { a: 1 });
    });
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 0 });
    const { data, attempts } = await transport.request(list).withResponse();
    expect(data).toEqual({ a: 1 });
    expect(attempts).toMatchObject([
      { status: undefined, retryDelayMs: 0, error: expect.stringContaining('The connection failed') as string },
      { status: 200, requestId: 'req_2', retryDelayMs: 0 },
      { status: 200, requestId: 'req_3', error: undefined },
    ]);
  });

  test('a connection that keeps failing rejects with a ConnectionError with all its attempts', async () => {
    const transport = createTransport({ baseURL: 'http://127.0.0.1:1/v1', backoff: () => 0, apiKey: 'sk-secret' });
    await expect(transport.request(create)).rejects.toMatchObject({
      name: 'ConnectionError',
      requestId: undefined,
      attempts: { length: 3 },
      cause: expect.anything() as unknown,
    });
  });

  test('a body that can be read only once is not retried', async () => {
    const server = await serve((response) => json(response, {}, 500));
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 0 });
    const body = new Blob(['abc']).stream();
    await expect(transport.request(create, { body })).rejects.toMatchObject({ attempts: { length: 1 } });
    expect(server.received[0]?.body).toBe('abc');
  });

  test('a form is retried with all its fields', async () => {
    const server = await serve((response, _, count) => json(response, {}, count < 2 ? 500 : 200));
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 0 });
    const body = new FormData();
    body.set('data', new Blob(['abc']));
    await transport.request(create, { body });
    for (const { body: sent } of server.received) expect(sent).toContain('abc');
    expect(server.received).toHaveLength(2);
  });

  test('a call can set its own number of retries', async () => {
    const server = await serve((response) => json(response, {}, 500));
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 0 });
    await expect(transport.request(list, { maxRetries: 0 })).rejects.toMatchObject({ attempts: { length: 1 } });
    await expect(transport.request(list)).rejects.toMatchObject({ attempts: { length: 3 } });
  });
});

describe('the idempotency key', () => {
  test('is the same for all attempts of a POST, and another for the next POST', async () => {
    const server = await serve((response, _, count) => json(response, {}, count === 1 ? 500 : 200));
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 0 });
    await transport.request(create);
    await transport.request(create);
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^\d{1,20}-\d{1,20}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test('can be given, and is not generated for a GET', async () => {
    const server = await serve((response) => json(response, {}));
    const transport = createTransport({ baseURL: server.baseURL });
    await transport.request(create, { idempotencyKey: 'mine' });
    await transport.request(list);
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', undefined]);
  });
});

describe('the delay before a retry', () => {
  test('is the one that the server requests', async () => {
    const server = await serve((response, _, count) =>
      json(response, {}, count < 2 ? 429 : 200, { 'retry-after-ms': '30' }),
    );
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 60_000 });
    const { attempts } = await transport.request(list).withResponse();
    expect(attempts[0]).toMatchObject({ status: 429, retryDelayMs: 30 });
  });

  test('is not shortened: a delay above maxRetryAfterMs means no retry', async () => {
    const server = await serve((response) =>
      json(response, { error: { message: 'Slow down.' } }, 429, { 'retry-after': '61' }),
    );
    const transport = createTransport({ baseURL: server.baseURL, backoff: () => 0 });
    await expect(transport.request(list)).rejects.toMatchObject({
      name: 'RateLimitError',
      message: 'Slow down.',
      attempts: { length: 1 },
    });
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ['is as long as the cap allows', '61', 62_000, 61_000],
    ['of months does not overflow the timer', '3000000', Infinity, 3e9],
  ])('%s', async (_, seconds, maxRetryAfterMs, retryDelayMs) => {
    let requestCount = 0;
    const transport = createTransport({
      maxRetryAfterMs,
      backoff: () => 0,
      async fetch() {
        requestCount++;
        return Response.json({}, { status: 429, headers: { 'retry-after': seconds } });
      },
    });
    const controller = new AbortController();
    const waiting = transport.request(list, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError', attempts: [{ retryDelayMs }] });
    expect(requestCount).toBe(1);
  });

  test('does not happen when the caller aborts while the attempt fails', async () => {
    const controller = new AbortController();
    let requestCount = 0;
    const transport = createTransport({
      timeouts: { headers: 20 },
      backoff: () => 0,
      fetch: (_, init) => {
        requestCount++;
        return new Promise((__, reject) => {
          init.signal?.addEventListener('abort', () => {
            controller.abort();
            reject(new Error('given up'));
          });
        });
      },
    });
    await expect(transport.request(list, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(requestCount).toBe(1);
  });

  test.each([
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': 'NaN' }, undefined],
    [{}, undefined],
  ])('reads %j as %s ms', (headers, ms) => {
    expect(retryAfterMs(new Headers(headers))).toBe(ms);
  });

  test('reads a date as the time until then', () => {
    const ms = retryAfterMs(new Headers({ 'retry-after': new Date(Date.now() + 10_000).toUTCString() }));
    expect(ms).toBeGreaterThan(5_000);
    expect(ms).toBeLessThanOrEqual(10_000);
  });

  test('is otherwise random between 0 and a bound that doubles up to 8 s', () => {
    for (const [failed, bound] of [
      [0, 500],
      [1, 1000],
      [2, 2000],
      [10, 8000],
    ] as const) {
      const waits = Array.from({ length: 200 }, () => backoff(failed));
      expect(Math.max(...waits)).toBeLessThanOrEqual(bound);
      expect(Math.max(...waits)).toBeGreaterThan(bound / 2);
      expect(Math.min(...waits)).toBeLessThan(bound / 2);
    }
  });
});
