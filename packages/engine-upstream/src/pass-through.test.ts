import { createServer as createHttp } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '@modelwire/server';
import type { ChatEngine, RequestLogEntry } from '@modelwire/server';
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

/** The server kit without models of its own, by its web-standard handler, in front of a real HTTP server. */
async function serve(answer: Answer, options: Partial<UpstreamPassThroughOptions> = {}) {
  const http = createHttp(answer);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(http.address() as AddressInfo).port}/api`;
  const log: RequestLogEntry[] = [];
  const none: ChatEngine = { name: 'none', models: () => [], generate: () => [] };
  const server = createServer({
    engines: [none],
    keys: ['key-of-client'],
    log: (entry) => log.push(entry),
    passThrough: createUpstreamPassThrough({ upstreams: [{ name: 'theirs', baseURL }], ...options }),
  });
  onTestFinished(async () => {
    http.closeAllConnections();
    await server.close(0);
    http.close();
  });
  const ask = async (path: string, body = '{"model":"m"}', init: RequestInit = {}) => {
    const headers = { authorization: 'Bearer key-of-client', 'content-type': 'application/json' };
    const sent = new Request(`http://here${path}`, { method: 'POST', headers, body, duplex: 'half', ...init });
    // A request over HTTP has one of them.
    if (sent.body) sent.headers.set('transfer-encoding', 'chunked');
    return server.fetch(sent);
  };
  return { ask, log };
}

test('logs a request as those of its own endpoints, with the path, the upstream, the model and the usage', async () => {
  const { ask, log } = await serve(reply);
  const response = await ask('/v1/rerank?x=1');
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

test('relays headers of the reply, less those that speak for the site of the upstream', async () => {
  const { ask } = await serve(reply);
  const { headers } = await ask('/v1/rerank');
  expect(headers.get('x-theirs')).toBe('1');
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  expect(headers.get('x-modelwire-upstream')).toBe('theirs');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  for (const name of ['set-cookie', 'access-control-allow-origin']) expect(headers.get(name)).toBeNull();
});

test('appends the path to that of the base URL', async () => {
  const urls: (string | undefined)[] = [];
  const { ask } = await serve((request, response) => {
    urls.push(request.url);
    reply(request, response);
  });
  await ask('/v1/a/b?c=%2F');
  expect(urls).toEqual(['/api/a/b?c=%2F']);
});

test('answers a model that no upstream is known to serve yet with 503 rather than 404', async () => {
  const unknown = { find: () => [], isComplete: false, hasRenamedModels: false, otherModels: () => [] };
  const upstreams = [
    { name: 'a', baseURL: 'http://127.0.0.1:1/v1' },
    { name: 'b', baseURL: 'http://127.0.0.1:2/v1' },
  ];
  const { ask, log } = await serve(reply, { upstreams, catalog: unknown });
  expect((await ask('/v1/rerank')).status).toBe(503);
  expect(log[0]?.error).toBe('upstream_unavailable');
});

test.each([
  ['paths', { paths: ['audio'] }],
  ['paths', { paths: ['/a*b'] }],
  ['upstreams[0].paths', { upstreams: [{ baseURL: 'http://a/v1', paths: ['x'] }] }],
  ['upstreams[0].baseURL', { upstreams: [{ baseURL: 'a' }] }],
  ['upstreams', { upstreams: [] }],
])('refuses an invalid option by its name: %s', (name, options) => {
  const upstreams = [{ baseURL: 'http://a/v1' }];
  expect(() => createUpstreamPassThrough({ upstreams, ...options })).toThrow(`createUpstream: ${name} must`);
});
