import { describe, expect, test } from 'vitest';
import { createServer } from '../server.ts';
import { adapters, key, listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

const page = 'https://app.example.com';
const engine = () => scriptedEngine(() => says('Hi'));
const ask = { model: 'scripted', messages: [{ role: 'user', content: 'Hello' }] };

/** Node's fetch may set these; a browser sets them itself. */
const preflight = (origin: string, headers = 'authorization, content-type') => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': headers },
});

const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

describe.each(adapters)('by way of %s', (adapter) => {
  test('off by default: no header, and OPTIONS is a 405', async () => {
    const { url, post } = await listen({ engines: [engine()] }, adapter);
    const response = await post(ask, { origin: page });
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control') || name === 'vary')).toEqual(
      [],
    );
    expect((await fetch(`${url}/v1/chat/completions`, preflight(page))).status).toBe(405);
  });

  test('a preflight of an allowed origin returns 204 with the requested headers', async () => {
    const { url } = await listen({ engines: [engine()], cors: { origins: [page] } }, adapter);
    const asked =
      'authorization,content-type,idempotency-key,openai-organization,x-stainless-os,x-stainless-retry-count';
    const response = await fetch(`${url}/v1/chat/completions`, preflight(page, asked));
    expect(response.status).toBe(204);
    expect(allowed(response)).toBe(page);
    expect(response.headers.get('access-control-allow-headers')).toBe(asked.replaceAll(',', ', '));
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, DELETE');
    expect(response.headers.get('vary')).toContain('Origin');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('invalid header names are not repeated', async () => {
    const { url } = await listen({ engines: [engine()], cors: { origins: ['*'] } }, adapter);
    const response = await fetch(`${url}/v1/models`, preflight(page, 'x-a; <script>, x-b'));
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type, idempotency-key');
  });

  test('another origin is not allowed, neither in a preflight nor in a response', async () => {
    const { url, post } = await listen({ engines: [engine()], cors: { origins: [page] } }, adapter);
    for (const origin of ['https://app.example.com.evil.test', 'http://app.example.com', 'null']) {
      const refused = await fetch(`${url}/v1/chat/completions`, preflight(origin));
      expect([refused.status, allowed(refused)]).toEqual([405, null]);
      const response = await post(ask, { origin });
      expect([response.status, allowed(response), response.headers.get('vary')]).toEqual([200, null, 'Origin']);
    }
  });

  test('responses, streams and errors have the allowed origin and headers', async () => {
    const { url, post } = await listen({ engines: [engine()], cors: { origins: [page] } }, adapter);
    const responses = [
      await post(ask, { origin: page }),
      await post({ ...ask, stream: true }, { origin: page }),
      await post('{', { origin: page }),
      await post(ask, { origin: page, authorization: 'Bearer wrong-key' }),
      await fetch(`${url}/v1/nothing`, { headers: { origin: page } }),
      await fetch(`${url}/v1/models`, { method: 'DELETE', headers: { origin: page } }),
      await fetch(`${url}/openapi.json`, { headers: { origin: page } }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400, 401, 404, 405, 200]);
    for (const response of responses) {
      expect([allowed(response), response.headers.get('vary')]).toEqual([page, 'Origin']);
      expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id');
      expect(response.headers.get('access-control-expose-headers')).toContain('x-ratelimit-remaining-tokens');
      await response.text();
    }
  });

  test('`*` allows every origin', async () => {
    const { url, post } = await listen({ engines: [engine()], cors: { origins: ['*'] } }, adapter);
    expect(allowed(await post(ask, { origin: 'https://any.example' }))).toBe('*');
    expect(allowed(await fetch(`${url}/v1/nothing`, preflight('https://any.example')))).toBe('*');
  });
});

test.each(['app.example.com', 'https://app.example.com/', 'https://APP.example.com', 'https://a.example:443', 'null'])(
  'refuses the origin %s and suggests the right form',
  (origin) => {
    const create = () => createServer({ engines: [], keys: [key], cors: { origins: [origin] } });
    expect(create).toThrow(`cors.origins: '${origin}' is not an origin`);
  },
);

test('accepts origins of browser extensions and apps', () => {
  const origins = ['tauri://localhost', 'chrome-extension://abcdefghij', 'http://localhost:5173', 'http://[::1]:3000'];
  expect(() => createServer({ engines: [], keys: [key], cors: { origins } })).not.toThrow();
});
