import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { memoryRateLimiter } from '../limits/memory-rate-limiter.ts';
import { formBytes, formType } from '../testing/form.ts';
import type { RequestLogEntry } from '../request-log.ts';
import { adapters, key, listen } from '../testing/listen.ts';
import { memoryWork } from '../testing/memory-work.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const ask = { model: 'scripted', messages };
const engine = () => scriptedEngine(() => says('Hi'));

interface Failure {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

async function failure(response: Response) {
  const { error } = (await response.json()) as Failure;
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code']);
  expect(error.message).not.toBe('');
  return { status: response.status, type: error.type, param: error.param, code: error.code };
}

const invalid = { type: 'invalid_request_error', param: null };

describe.each(adapters)('by way of %s', (adapter) => {
  test.each([
    ['no key', {}, 'missing_api_key'],
    ['a scheme of another kind', { authorization: `Basic ${key}` }, 'missing_api_key'],
    ['a wrong key', { authorization: 'Bearer test-key-1234567891' }, 'invalid_api_key'],
  ])('%s is a 401', async (_, headers, code) => {
    const { url } = await listen({ engines: [engine()] }, adapter);
    const response = await fetch(`${url}/v1/models`, { headers });
    expect(await failure(response)).toEqual({ ...invalid, status: 401, code });
  });

  test('returns 404 for an unknown path, and 405 with the allowed methods for another method', async () => {
    const { url } = await listen({ engines: [engine()] }, adapter);
    expect(await failure(await fetch(`${url}/v1/nothing`))).toEqual({ ...invalid, status: 404, code: 'unknown_url' });
    const wrong = await fetch(`${url}/v1/models`, { method: 'DELETE' });
    expect(wrong.headers.get('allow')).toBe('GET');
    expect(await failure(wrong)).toEqual({ ...invalid, status: 405, code: 'method_not_allowed' });
  });

  test('below /messages, an unknown path and another method get errors of the Messages API', async () => {
    const { url } = await listen({ engines: [engine()] }, adapter);
    const errorOf = async (method: string, path: string) => {
      const response = await fetch(`${url}/v1/messages${path}`, { method });
      expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
      const body: unknown = await response.json();
      return { status: response.status, body };
    };
    const unknown = { type: 'not_found_error', details: { error_code: 'unknown_url', param: null } };
    expect(await errorOf('POST', '/nothing')).toMatchObject({ status: 404, body: { type: 'error', error: unknown } });
    const notAllowed = { type: 'invalid_request_error', details: { error_code: 'method_not_allowed', param: null } };
    expect(await errorOf('PUT', '')).toMatchObject({ status: 405, body: { type: 'error', error: notAllowed } });
  });

  test('the allowed methods are those of a path itself, not of one with a parameter that matches it', async () => {
    const { stores, blobs } = memoryWork();
    const { url } = await listen({ engines: [engine()], stores, blobs }, adapter);
    for (const path of ['/v1/responses/compact', '/v1/responses/input_tokens']) {
      const response = await fetch(url + path, { method: 'PUT' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('returns 404 for an unknown model and names the parameter', async () => {
    const { post } = await listen({ engines: [engine()] }, adapter);
    expect(await failure(await post({ ...ask, model: 'gpt-x' }))).toEqual({
      ...invalid,
      status: 404,
      param: 'model',
      code: 'model_not_found',
    });
  });

  test.each([
    ['broken JSON', '{"model":', 400, 'invalid_json'],
    ['an empty body', '', 400, 'invalid_json'],
    ['a body of more bytes than allowed', JSON.stringify({ ...ask, user: 'x'.repeat(3000) }), 413, 'request_too_large'],
  ])('%s is a %s %s', async (_, body, status, code) => {
    const { post } = await listen({ engines: [engine()], maxBodyBytes: 2048 }, adapter);
    expect(await failure(await post(body))).toMatchObject({ status, code });
  });

  test('a byte order mark before a JSON body is skipped', async () => {
    const { url } = await listen({ engines: [engine()] }, adapter);
    const body = Buffer.from(`\u{FEFF}${JSON.stringify(ask)}`);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
  });

  test.each([
    ['whole', 0],
    ['in pieces', 60],
  ])('a JSON body that is not UTF-8, sent %s, is a 400', async (_, cut) => {
    const { url } = await listen({ engines: [engine()] }, adapter);
    const body = Buffer.from(JSON.stringify({ ...ask, user: '\u{FC}' }), 'latin1');
    async function* pieces() {
      yield body.subarray(0, cut);
      await new Promise(setImmediate);
      yield body.subarray(cut);
    }
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: cut === 0 ? body : ReadableStream.from(pieces()),
      duplex: 'half',
    });
    expect(await failure(response)).toEqual({ ...invalid, status: 400, code: 'invalid_encoding' });
  });

  test('a form with a text field that is not UTF-8 is a 400 that names the field', async () => {
    const { url } = await listen({ engines: [engine()], ...memoryWork() }, adapter);
    const body = new Uint8Array(
      formBytes([
        { name: 'purpose', body: Uint8Array.of(0x65, 0xff) },
        { name: 'file', filename: 'a', body: 'content' },
      ]),
    );
    const headers = { authorization: `Bearer ${key}`, 'content-type': formType };
    const response = await fetch(`${url}/v1/files`, { method: 'POST', headers, body });
    expect(await failure(response)).toEqual({ ...invalid, status: 400, param: 'purpose', code: 'invalid_encoding' });
  });

  test('serves a path without its version only with unversionedPaths', async () => {
    const { url } = await listen({ engines: [engine()], unversionedPaths: true }, adapter);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(ask) };
    expect((await fetch(`${url}/chat/completions`, init)).status).toBe(200);
    expect((await fetch(`${url}/models/scripted`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/models`, { headers, method: 'DELETE' })).status).toBe(405);
    const off = await listen({ engines: [engine()] }, adapter);
    expect(await failure(await fetch(`${off.url}/models`, { headers }))).toMatchObject({ status: 404 });
  });

  test('all responses forbid content sniffing', async () => {
    const docs = { '/docs': { type: 'text/html', body: '<!doctype html>' } };
    const { url, post } = await listen({ engines: [engine()], docs }, adapter);
    const get = (path: string, init?: RequestInit) => fetch(`${url}${path}`, init);
    const responses = await Promise.all([
      post(ask),
      post({ ...ask, stream: true }),
      post('{'),
      get('/v1/models'),
      get('/v1/nothing'),
      get('/v1/models', { method: 'DELETE' }),
      get('/docs'),
      get('/openapi.json'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400, 401, 404, 405, 200, 200]);
    expect(responses.map(({ headers }) => headers.get('x-content-type-options'))).toEqual(
      responses.map(() => 'nosniff'),
    );
  });

  test('refuses a body with too many values before parsing it', async () => {
    const { post } = await listen({ engines: [engine()] }, adapter);
    const lists = '[],'.repeat(200_000);
    expect(await failure(await post(`{"model":"scripted","messages":[${lists}[]]}`))).toMatchObject({
      status: 400,
      code: 'request_too_complex',
    });
    // What looks like values inside a string is none.
    const said = { ...ask, messages: [{ role: 'user', content: '\\"[],'.repeat(200_000) }] };
    expect((await post(said)).status).toBe(200);
  });

  test('a body of undeclared length is refused while it is sent', async () => {
    const { url } = await listen({ engines: [engine()], maxBodyBytes: 2048 }, adapter);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = httpRequest(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      sending.on('response', (response) => {
        resolve(response.statusCode);
        response.resume();
        sending.destroy();
      });
      sending.on('error', reject);
      // Never ended, so the response does not depend on the rest.
      sending.write(`{"user":"${'x'.repeat(5000)}`);
    });
    expect(status).toBe(413);
  });

  test('a compressed body is a 415 that says to send it without compression', async () => {
    const { post } = await listen({ engines: [engine()] }, adapter);
    const response = await post(ask, { 'content-encoding': 'gzip' });
    expect(await failure(response)).toMatchObject({ status: 415, code: 'unsupported_content_encoding' });
  });

  test('returns 415 for another content type and names the expected one', async () => {
    const { post } = await listen({ engines: [engine()] }, adapter);
    const response = await post(ask, { 'content-type': 'text/plain' });
    expect(await failure(response)).toMatchObject({ status: 415, code: 'unsupported_content_type' });
  });

  test('returns 400 for an unknown field and names it, unless the server keeps unknown fields', async () => {
    const strict = await listen({ engines: [engine()] }, adapter);
    expect(await failure(await strict.post({ ...ask, colour: 3 }))).toMatchObject({
      status: 400,
      param: 'colour',
      code: 'unknown_parameter',
    });
    const kept = engine();
    const lenient = await listen({ engines: [kept], unknownFields: 'keep' }, adapter);
    expect((await lenient.post({ ...ask, colour: 3 })).status).toBe(200);
    expect(kept.asked[0]?.context.requestBody).toMatchObject({ colour: 3 });
  });

  test('refuses store without stores', async () => {
    const { post } = await listen({ engines: [engine()] }, adapter);
    expect(await failure(await post({ ...ask, store: true }))).toMatchObject({ status: 400, param: 'store' });
  });

  test('returns 429 with Retry-After for too many requests, and the remaining limit in every response', async () => {
    const { post } = await listen({
      engines: [engine()],
      rateLimiter: memoryRateLimiter({ requestsPerMinute: 1, tokensPerMinute: 1000 }),
    });
    const first = await post({ ...ask, max_completion_tokens: 90 });
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('1');
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(first.headers.get('x-ratelimit-remaining-tokens')).toBe('904');
    const second = await post(ask);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(Number(second.headers.get('retry-after-ms'))).toBeGreaterThan(50_000);
    expect(await failure(second)).toEqual({ status: 429, type: 'requests', param: null, code: 'rate_limit_exceeded' });
  });

  test('an internal error returns 500 without details; the log has the stack without the message', async () => {
    const log: RequestLogEntry[] = [];
    const broken = scriptedEngine(() => {
      throw new Error('the secret prompt was Hello');
    });
    const { post } = await listen({ engines: [broken], log: (entry) => log.push(entry) }, adapter);
    const response = await post(ask);
    const text = await response.clone().text();
    expect(await failure(response)).toEqual({ status: 500, type: 'server_error', param: null, code: 'internal_error' });
    expect(text).not.toContain('secret');
    expect(log[0]).toMatchObject({
      status: 500,
      error: 'internal_error',
      route: '/v1/chat/completions',
      keyId: 'key_1',
    });
    expect(log[0]?.trace).toContain('pipeline.test.ts');
    expect(JSON.stringify(log)).not.toContain('secret');
  });

  test('the log has the ID of the request, its key ID, model and usage, and never the key or the content', async () => {
    const log: RequestLogEntry[] = [];
    // So long that no ID of a request has it in it by chance.
    const said = 'Good morning';
    const engines = [scriptedEngine(() => says(said))];
    const { post } = await listen({ engines, log: (entry) => log.push(entry) }, adapter);
    const response = await post({ ...ask, safety_identifier: 'person-7' });
    expect(await response.text()).toContain(said);
    expect(log).toMatchObject([
      {
        requestId: response.headers.get('x-request-id'),
        status: 200,
        keyId: 'key_1',
        model: 'scripted',
        safetyIdentifier: 'person-7',
        usage: { total_tokens: 4 },
      },
    ]);
    expect(JSON.stringify(log)).not.toMatch(/Hello|Good morning|test-key/);
  });

  test('the log has the method as it was sent, also of a HEAD request', async () => {
    const logged = Promise.withResolvers<RequestLogEntry>();
    const { url } = await listen({ engines: [engine()], log: logged.resolve }, adapter);
    await fetch(`${url}/v1/models`, { method: 'HEAD', headers: { authorization: `Bearer ${key}` } });
    expect(await logged.promise).toMatchObject({ method: 'HEAD', route: '/v1/models', status: 200 });
  });

  test('the ID of a model may contain slashes', async () => {
    const { client } = await listen({ engines: [scriptedEngine(() => says('Hi'), { id: 'house/model-1' })] }, adapter);
    expect(await client.models.retrieve('house/model-1')).toEqual({
      id: 'house/model-1',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'tests',
      kinds: ['chat'],
    });
    expect((await Array.fromAsync(client.models.list())).map(({ id }) => id)).toEqual(['house/model-1']);
  });

  test('a server that shuts down returns 503, lets running requests end, and aborts those that exceed the drain timeout', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const waiting = scriptedEngine(async function* () {
      await held;
      yield* says('Hi');
    });
    const { post, server } = await listen({ engines: [waiting] }, adapter);
    const running = post(ask);
    await expect.poll(() => server.stats().requestsInFlight).toBe(1);
    const drained = server.drain(5000);
    expect(await failure(await post(ask))).toMatchObject({ status: 503, code: 'shutting_down' });
    release();
    expect((await running).status).toBe(200);
    await drained;
  });
});
