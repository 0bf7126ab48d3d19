import { createServer as createHttp } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from '@modelwire/server';
import type { ChatEngine } from '@modelwire/ports';
import type { RequestLogEntry } from '@modelwire/server';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, onTestFinished, test } from 'vitest';
import { createUpstreamPassThrough } from './pass-through.ts';
import type { UpstreamPassThroughOptions } from './pass-through-options.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const reply: Answer = (_, response) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'set-cookie': 'a=b',
    'access-control-allow-origin': '*',
    'x-request-id': 'theirs',
    'x-theirs': '1',
  });
  response.end('{"usage":{"prompt_tokens":2,"total_tokens":2}}');
};

/** The server kit without local models, by its web-standard handler, in front of a real HTTP server. */
async function serve(answer: Answer, options: Partial<UpstreamPassThroughOptions> = {}) {
  const baseURL = `http://${await listenForTest(createHttp(answer))}/api`;
  const log: RequestLogEntry[] = [];
  const none: ChatEngine = {
    name: 'none',
    models: () => [],
    generate: () => [],
  };
  const server = createServer({
    engines: [none],
    keys: ['key-of-client'],
    log: (entry) => log.push(entry),
    passThrough: createUpstreamPassThrough({
      upstreams: [{ name: 'theirs', baseURL }],
      ...options,
    }),
  });
  onTestFinished(() => server.close(0));
  const sendRequest = async (path: string, body = '{"model":"m"}', init: RequestInit = {}) => {
    const headers = {
      authorization: 'Bearer key-of-client',
      'content-type': 'application/json',
    };
    const sent = new Request(`http://here${path}`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      ...init,
    });
    // Requests over HTTP have one.
    if (sent.body) sent.headers.set('transfer-encoding', 'chunked');
    return server.fetch(sent);
  };
  return { sendRequest, log };
}

test('logs a request like those of other endpoints, with path, upstream, model and usage', async () => {
  const { sendRequest, log } = await serve(reply);
  const response = await sendRequest('/v1/rerank?x=1');
  expect(await response.json()).toHaveProperty('usage');
  expect(log).toEqual([
    {
      requestId: response.headers.get('x-request-id'),
      method: 'POST',
      route: '/v1/{path}',
      path: '/rerank',
      upstream: 'theirs',
      model: 'm',
      status: 200,
      durationMs: expect.any(Number) as number,
      keyId: expect.any(String) as string,
      project: 'default',
      usage: { prompt_tokens: 2, completion_tokens: 0, total_tokens: 2 },
    },
  ]);
});

test('relays headers of the reply except those about the site of the upstream', async () => {
  const { sendRequest } = await serve(reply);
  const { headers } = await sendRequest('/v1/rerank');
  expect(headers.get('x-theirs')).toBe('1');
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  expect(headers.get('x-modelwire-upstream')).toBe('theirs');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  for (const name of ['set-cookie', 'access-control-allow-origin']) expect(headers.get(name)).toBeNull();
});

test('appends the path to the base URL', async () => {
  const urls: (string | undefined)[] = [];
  const { sendRequest } = await serve((request, response) => {
    urls.push(request.url);
    reply(request, response);
  });
  await sendRequest('/v1/a/b?c=%2F');
  expect(urls).toEqual(['/api/a/b?c=%2F']);
});

test('returns a 404 for an unknown model, also while the models of an upstream are unknown', async () => {
  const unknown = {
    find: () => [],
    hasRenamedModels: false,
    otherModels: () => [],
  };
  const upstreams = [
    { name: 'a', baseURL: 'http://127.0.0.1:1/v1' },
    { name: 'b', baseURL: 'http://127.0.0.1:2/v1' },
  ];
  const { sendRequest, log } = await serve(reply, {
    upstreams,
    catalog: unknown,
  });
  expect((await sendRequest('/v1/rerank')).status).toBe(404);
  expect(log[0]?.error).toBe('model_not_found');
});

test.each([
  ['text/plain', '404 page not found', ': 404 page not found'],
  ['text/html', '<h1>Cannot POST</h1>', '.'],
  ['application/json', '{"detail":"Not Found"}', ': Not Found'],
  ['application/json', '{"error":{"code":404,"message":"File Not Found"}}', ': File Not Found'],
])('a 404 that is no error as clients expect it becomes one: %s %s', async (type, body, reason) => {
  const { sendRequest, log } = await serve((_, response) => {
    response.writeHead(404, { 'content-type': type });
    response.end(body);
  });
  const response = await sendRequest('/v1/rerank');
  const message = `The upstream 'theirs' answered with status 404${reason}`;
  const error = { message, type: 'invalid_request_error', param: null, code: 'not_found' };
  expect([response.status, await response.json()]).toEqual([404, { error }]);
  expect(response.headers.get('x-modelwire-upstream')).toBe('theirs');
  expect(log).toMatchObject([{ status: 404, error: 'not_found', upstream: 'theirs' }]);
  const message_error = { type: 'not_found_error', details: { error_code: 'not_found', param: null }, message };
  expect(await (await sendRequest('/v1/messages/other')).json()).toMatchObject({ type: 'error', error: message_error });
});

test.each([
  [
    400,
    { object: 'error', message: 'No.', type: 'BadRequestError', code: 400 },
    { message: 'No.', type: 'BadRequestError', code: 'invalid_request' },
  ],
  [
    422,
    { detail: [{ msg: 'Field required' }] },
    { message: 'Field required', type: 'invalid_request_error', code: 'invalid_request' },
  ],
  [429, { error: 'Slow down.' }, { message: 'Slow down.', type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' }],
  [503, 'busy', { message: 'busy', type: 'server_error', code: 'upstream_error' }],
])('another error has all fields: %i %j', async (status, body, expected) => {
  const { sendRequest, log } = await serve((_, response) => {
    response.writeHead(status, { 'retry-after': '7' }).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const response = await sendRequest('/v1/rerank');
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
  expect(await response.json()).toEqual({ error: { param: null, ...expected } });
  expect(log).toMatchObject([{ status, upstream: 'theirs' }]);
});

test('a 405 names the allowed methods of the upstream', async () => {
  const { sendRequest } = await serve((_, response) => {
    response.writeHead(405, { 'content-type': 'application/json', allow: 'GET' });
    response.end('{"detail":"Method Not Allowed"}');
  });
  const response = await sendRequest('/v1/rerank');
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed', param: null } });
});

test.each([
  { error: { message: 'No fine-tune.', type: 'invalid_request_error', param: 'id', code: null, more: 1 } },
  { type: 'error', error: { type: 'not_found_error', message: 'No file.' } },
])('a 404 that clients understand is passed on unchanged: %j', async (error) => {
  const { sendRequest } = await serve((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(error));
  });
  const response = await sendRequest('/v1/rerank');
  expect([response.status, await response.json()]).toEqual([404, error]);
});

test.each([
  ['paths', { paths: ['audio'] }],
  ['paths', { paths: ['/a*b'] }],
  ['upstreams[0].paths', { upstreams: [{ baseURL: 'http://a/v1', paths: ['x'] }] }],
  ['upstreams[0].baseURL', { upstreams: [{ baseURL: 'a' }] }],
  ['upstreams', { upstreams: [] }],
])('rejects an invalid option by name: %s', (name, options) => {
  const upstreams = [{ baseURL: 'http://a/v1' }];
  expect(() => createUpstreamPassThrough({ upstreams, ...options })).toThrow(`createUpstream: ${name} must`);
});

test('secrets of the upstream in headers of a reply and in errors are not passed on, whatever their form', async () => {
  const echo: Answer = ({ headers: received, url }, response) => {
    response.writeHead(url?.includes('fail') === true ? 400 : 200, {
      'content-type': 'application/json',
      'x-key': received.authorization ?? '',
      'x-encoded': encodeURIComponent(String(received.authorization)),
      'x-internal': String(received['x-internal-token']),
      'x-theirs': '1',
    });
    const message = `key ${received.authorization} ${String(received['x-internal-token'])}`;
    const other = { object: 'error', message, type: 'BadRequestError', code: 400 };
    const error = { message, type: 'server_error', param: null, code: null };
    response.end(JSON.stringify(url?.includes('other') === true ? other : { error }));
  };
  const baseURL = `http://${await listenForTest(createHttp(echo))}/api`;
  const upstream = {
    baseURL,
    apiKey: 'UPSTREAM/SECRET-1',
    headers: { 'X-Internal-Token': 'HEADER-SECRET' },
  };
  const { sendRequest } = await serve(echo, { upstreams: [upstream] });
  for (const path of ['/v1/rerank', '/v1/fail', '/v1/fail/other']) {
    const response = await sendRequest(path);
    const { headers } = response;
    expect(headers.get('x-theirs')).toBe(path === '/v1/fail/other' ? null : '1');
    expect(['x-key', 'x-encoded', 'x-internal'].map((name) => headers.get(name))).toEqual([null, null, null]);
    if (response.ok) continue;
    const text = await response.text();
    expect(text).toMatch(/"message":".*key /);
    expect(text).not.toContain('SECRET');
  }
});

test.each(['/v1/rerank?a=b#&model=x', '/v1/rerank?a=b c', '/v1/rerank?a=b\\c'])(
  'what leaves is what was checked: %s',
  async (path) => {
    const urls: (string | undefined)[] = [];
    const { sendRequest } = await serve((request, response) => {
      urls.push(request.url);
      reply(request, response);
    });
    const { status } = await sendRequest(path);
    // Parsers of web-standard requests encode or remove these characters before.
    expect(urls.every((url) => url !== undefined && !/[#\\ ]/.test(url))).toBe(true);
    expect([200, 400]).toContain(status);
  },
);
