import { describe, expect, test } from 'vitest';
import { json, serve } from '../../test/server.ts';
import type { Handler, TestServer } from '../../test/server.ts';
import { asResponse } from './response-reader.ts';
import type { TransportOptions } from './options.ts';
import { createTransport } from './transport.ts';
import type { Transport } from './transport.ts';

const read = { method: 'GET', path: '/things/{thing_id}' } as const;
const list = { method: 'GET', path: '/things' } as const;
const create = { method: 'POST', path: '/things' } as const;

async function start(
  handler: Handler,
  options: TransportOptions = {},
): Promise<{ server: TestServer; transport: Transport }> {
  const server = await serve(handler);
  return { server, transport: createTransport({ baseURL: server.baseURL, backoff: () => 1, ...options }) };
}

const ok: Handler = (response) => json(response, { ok: true });

describe('a request', () => {
  test('carries the key, JSON and its content type', async () => {
    const { server, transport } = await start(ok, { apiKey: 'sk-1' });
    expect(await transport.request(create, { body: { a: [1] } })).toEqual({ ok: true });
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      url: '/v1/things',
      body: '{"a":[1]}',
      headers: { authorization: 'Bearer sk-1', 'content-type': 'application/json', accept: 'application/json' },
    });
  });

  test('calls a key function before each attempt', async () => {
    let keyCalls = 0;
    const { server, transport } = await start((response, _, count) => json(response, {}, count < 2 ? 500 : 200), {
      apiKey: async () => `sk-${++keyCalls}`,
    });
    await transport.request(list);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-1', 'Bearer sk-2']);
  });

  test('is sent without a key when none is set', async () => {
    const { server, transport } = await start(ok);
    await transport.request(create);
    expect(server.received[0]?.headers).not.toHaveProperty('authorization');
    expect(server.received[0]?.headers).not.toHaveProperty('content-type');
    expect(server.received[0]?.body).toBe('');
  });

  test('prefers the headers of a call to those of the transport, and null removes one', async () => {
    const { server, transport } = await start(ok, { apiKey: 'sk-1', headers: { 'x-a': '1', 'x-b': '1' } });
    await transport.request(list, { headers: { 'X-A': '2', 'x-b': null, authorization: null, 'x-c': undefined } });
    expect(server.received[0]?.headers).toMatchObject({ 'x-a': '2' });
    for (const name of ['x-b', 'x-c', 'authorization']) expect(server.received[0]?.headers).not.toHaveProperty(name);
  });

  test('does not set the content type of a form, so that fetch sets its boundary', async () => {
    const { server, transport } = await start(ok);
    const form = new FormData();
    form.set('data', new Blob(['abc']), 'part');
    await transport.request(create, { body: form });
    expect(server.received[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(server.received[0]?.body).toContain('abc');
  });

  test('encodes path parameters and the query, and keeps the query of the base URL', async () => {
    const { server } = await start(ok);
    const transport = createTransport({ baseURL: `${server.baseURL}//?version=2` });
    await transport.request(read, {
      params: { thing_id: 'a/../b?c#d%2F' },
      query: {
        model: 'm 1',
        limit: 2,
        after: undefined,
        order: null,
        metadata: { 'k&1': 'é', none: undefined },
        models: ['a', 'b'],
      },
    });
    expect(server.received[0]?.url).toBe(
      '/v1/things/a%2F..%2Fb%3Fc%23d%252F?version=2&model=m+1&limit=2&metadata%5Bk%261%5D=%C3%A9&models%5B%5D=a&models%5B%5D=b',
    );
  });

  test.each(['', '.', '..', '\ud800'])('rejects the path parameter %j and sends nothing', async (id) => {
    const { server, transport } = await start(ok);
    const error = await transport.request(read, { params: { thing_id: id } }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'InputError', param: 'thing_id', attempts: [] });
    await expect(transport.request(read)).rejects.toMatchObject({ name: 'InputError' });
    expect(server.received).toHaveLength(0);
  });

  test.each(['sk-1\n', 'sk 1', '', 'sk-é'])('rejects the key %j without repeating it', async (apiKey) => {
    const { server, transport } = await start(ok, { apiKey });
    const error = await transport.request(list).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'InputError', message: expect.stringContaining('API key') as string });
    if (apiKey !== '') expect(String(error) + JSON.stringify(error)).not.toContain(apiKey.trim());
    expect(server.received).toHaveLength(0);
  });

  test('rejects an invalid header, naming it without its value', async () => {
    const { transport } = await start(ok);
    await expect(transport.request(list, { headers: { 'x-token': 'secret\r\nx-evil: 1' } })).rejects.toMatchObject({
      name: 'InputError',
      message: 'Invalid value of the header x-token.',
    });
    await expect(transport.request(list, { headers: { 'x\n': '1' } })).rejects.toMatchObject({
      name: 'InputError',
      message: 'Invalid header name: "x\\n".',
    });
  });

  test('rejects a body that cannot be serialized as JSON', async () => {
    const { transport } = await start(ok);
    await expect(transport.request(create, { body: { n: 1n } })).rejects.toMatchObject({ name: 'InputError' });
  });

  test.each(['nonsense', 'ftp://host/v1', 'http://user:pass@host/v1'])(
    'refuses the base URL %s without showing it',
    (baseURL) => {
      expect(() => createTransport({ baseURL })).toThrow(expect.objectContaining({ name: 'InputError' }));
      expect(() => createTransport({ baseURL })).not.toThrow(new RegExp(baseURL));
    },
  );

  test('says what a base URL must be', () => {
    expect(() => createTransport({ baseURL: 'localhost:8787/v1' })).toThrow('baseURL must be an http(s) URL');
  });
});

describe('a failed connection', () => {
  function failed(message: string, code?: string): Error {
    return new TypeError('fetch failed', { cause: Object.assign(new Error(message), code !== undefined && { code }) });
  }

  test.each([
    ['has its reason', failed('other side closed'), 'other side closed'],
    ['has the code of the reason', failed('other side closed', 'UND_ERR_SOCKET'), 'other side closed (UND_ERR_SOCKET)'],
    [
      'has the code only once',
      failed('connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED'),
      'connect ECONNREFUSED 127.0.0.1:9',
    ],
    ['has the code in place of an empty reason', failed('', 'ECONNREFUSED'), 'ECONNREFUSED'],
    ['has what was thrown without a reason', new Error('blocked by a proxy'), 'blocked by a proxy'],
  ])('%s', async (_, thrown, reason) => {
    const transport = createTransport({
      baseURL: 'http://localhost/v1',
      maxRetries: 0,
      fetch: () => Promise.reject(thrown),
    });
    await expect(transport.request(list)).rejects.toMatchObject({ message: `The connection failed: ${reason}` });
  });
});

describe('a response', () => {
  test('has headers, request ID and attempts through withResponse()', async () => {
    const { server, transport } = await start((response) => json(response, { n: 1 }, 200, { 'x-extra': 'e' }));
    const result = await transport.request<{ n: number }>(list).withResponse();
    expect(result).toMatchObject({
      data: { n: 1 },
      requestId: 'req_1',
      attempts: [{ status: 200, requestId: 'req_1' }],
    });
    expect(result.response.headers.get('x-extra')).toBe('e');
    expect(server.received).toHaveLength(1);
  });

  test('that is not JSON is a DecodeError with an excerpt and the request ID', async () => {
    const { transport } = await start((response) => response.end('<html>'), { apiKey: 'sk-12345' });
    await expect(transport.request(list)).rejects.toMatchObject({
      name: 'DecodeError',
      status: 200,
      requestId: 'req_1',
      body: '<html>',
    });
  });

  test('can be read raw, and its connection is kept for the next call', async () => {
    const { server, transport } = await start((response) => response.end(Buffer.alloc(200_000, 7)));
    for (let n = 0; n < 10; n++) {
      const response = await transport.request(list, {}, asResponse);
      expect(response.headers.get('x-request-id')).toBe(`req_${n + 1}`);
      expect((await response.arrayBuffer()).byteLength).toBe(200_000);
    }
    // Node's fetch opens a second one at its first reuse; without reuse there would be ten.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test.each([
    [400, 'BadRequestError'],
    [401, 'AuthenticationError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [405, 'ApiError'],
    [409, 'ConflictError'],
    [413, 'PayloadTooLargeError'],
    [422, 'UnprocessableEntityError'],
    [429, 'RateLimitError'],
    [500, 'ServerError'],
    [503, 'ServerError'],
  ])('of status %i is a %s with the fields of the error object', async (status, name) => {
    const error = { message: 'No.', type: 'some_error', param: 'model', code: 'some_code' };
    const { transport } = await start((response) => json(response, { error }, status), { maxRetries: 0 });
    await expect(transport.request(list)).rejects.toMatchObject({
      ...error,
      name,
      status,
      requestId: 'req_1',
      body: { error },
      attempts: [{ status, requestId: 'req_1', error: 'No.' }],
    });
  });

  test('of an error in another shape yields the fields that are there', async () => {
    const bodies = ['<h1>Bad gateway</h1>', '{"error":"flat"}', '{"message":"top","code":7}', '{"error":null}', ''];
    const { transport } = await start(
      (response, _, count) => {
        response.statusCode = 502;
        response.end(bodies[count - 1]);
      },
      { maxRetries: 0 },
    );
    const messages: unknown[] = [];
    while (messages.length < bodies.length) {
      const error: unknown = await transport.request(list).catch((thrown: unknown) => thrown);
      messages.push(error instanceof Error ? error.message : error);
    }
    const plain = 'The server responded with status 502.';
    expect(messages).toEqual([plain, 'flat', 'top', plain, plain]);
  });

  test('that repeats the key is redacted', async () => {
    const apiKey = 'sk-very-secret';
    const { transport } = await start(
      (response) => json(response, { error: { message: `Wrong key ${apiKey}.` } }, 401),
      { apiKey },
    );
    const error: unknown = await transport.request(list).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'Wrong key [key].', body: { error: { message: 'Wrong key [key].' } } });
    expect(JSON.stringify(error)).not.toContain(apiKey);
  });
});

describe('middleware', () => {
  test('wraps each attempt, the first one outermost, and can change the request', async () => {
    const seen: string[] = [];
    const { server, transport } = await start((response, _, count) => json(response, {}, count < 2 ? 503 : 200), {
      middleware: [
        async (request, next) => {
          seen.push('a in');
          request.headers.set('x-a', '1');
          const response = await next({ ...request, url: `${request.url}?a=1` });
          seen.push(`a out ${response.status}`);
          return response;
        },
        async (request, next) => {
          seen.push(`b in ${request.headers.get('x-a') ?? ''}`);
          return next(request);
        },
      ],
    });
    await transport.request(list);
    expect(seen).toEqual(['a in', 'b in 1', 'a out 503', 'a in', 'b in 1', 'a out 200']);
    expect(server.received[0]).toMatchObject({ url: '/v1/things?a=1', headers: { 'x-a': '1' } });
  });

  test('receives Headers; without middleware, a custom fetch receives an object with lower-case names', async () => {
    const receivedHeaders: RequestInit['headers'][] = [];
    const options: TransportOptions = {
      apiKey: 'sk-1',
      headers: { 'X-A': 'b' },
      fetch: async (_, { headers }) => {
        receivedHeaders.push(headers);
        return Response.json({});
      },
    };
    await createTransport(options).request(list);
    await createTransport({ ...options, middleware: [async (request, next) => next(request)] }).request(list);
    const fields = { accept: 'application/json', authorization: 'Bearer sk-1', 'x-a': 'b' };
    expect(receivedHeaders[0]).toEqual(fields);
    expect(receivedHeaders[1]).toBeInstanceOf(Headers);
    expect(Object.fromEntries(new Headers(receivedHeaders[1]))).toEqual(fields);
  });

  test('can return a response itself', async () => {
    const transport = createTransport({ middleware: [async () => Response.json({ from: 'cache' })] });
    expect(await transport.request(list)).toEqual({ from: 'cache' });
  });

  test('that throws fails the call without a retry, with its error as the cause', async () => {
    let runs = 0;
    const cause = new Error('mine');
    const transport = createTransport({
      middleware: [
        async () => {
          runs++;
          throw cause;
        },
      ],
    });
    await expect(transport.request(list)).rejects.toMatchObject({ name: 'ModelwireError', cause, attempts: [{}] });
    expect(runs).toBe(1);
  });
});
