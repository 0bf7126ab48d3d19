import type { Authenticator, KeyRole } from '@modelwire/ports';
import { describe, expect, test, vi } from 'vitest';
import { hashKey } from '../keys/make-key.ts';
import { memoryRateLimiter } from '../limits/memory-rate-limiter.ts';
import type { ServerOptions } from '../options/options.ts';
import { memorySessionStore } from '../sessions/memory-session-store.ts';
import { systemClock } from '../clock.ts';
import { testConsole } from '../testing/console.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { adapters, listen } from '../testing/listen.ts';
import type { Adapter } from '../testing/listen.ts';
import { memoryWork } from '../testing/memory-work.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

const engines = [scriptedEngine(() => says('Hi'))];
const hour = 3_600_000;

type Headers = Record<string, string>;

/** A key of each role. The keys can be revoked. */
function testKeys() {
  const roles = new Map<string, KeyRole>([
    ['admin-key', 'admin'],
    ['full-key', 'full'],
    ['read-key', 'read_only'],
    ['infer-key', 'inference_only'],
  ]);
  const authenticateHash = (hash: string) => {
    const found = [...roles].find(([key]) => hashKey(key) === hash);
    return found && { keyId: `id of ${found[0]}`, project: 'p', role: found[1], keyName: `name of ${found[0]}` };
  };
  const keys: Authenticator = { authenticate: (key) => authenticateHash(hashKey(key)), authenticateHash };
  return { keys, revoke: (key: string) => roles.delete(key) };
}

interface Browser {
  readonly url: string;
  /** The cookie, as the browser sends it. */
  cookie: string;
  csrfToken: string;
  setCookie: string;
  signIn(body: object, headers?: Record<string, string>): Promise<Response>;
  /** Sends a request with the cookie. */
  send(method: string, path: string, headers?: Record<string, string>, body?: object): Promise<Response>;
}

async function open(options: Partial<ServerOptions>, adapter: Adapter = 'node:http') {
  const listening = await listen({ engines, console: testConsole, ...options }, adapter);
  const { url } = listening;
  const browser: Browser = {
    url,
    cookie: '',
    csrfToken: '',
    setCookie: '',
    async signIn(body, headers) {
      const response = await browser.send('POST', '/console/api/session', headers, body);
      browser.setCookie = response.headers.get('set-cookie') ?? '';
      if (response.ok) {
        browser.cookie = browser.setCookie.split(';')[0] ?? '';
        browser.csrfToken = ((await response.clone().json()) as { csrf_token: string }).csrf_token;
      }
      return response;
    },
    send: (method, path, headers = {}, body) =>
      fetch(url + path, {
        method,
        headers: {
          ...(browser.cookie !== '' && { cookie: browser.cookie }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
  };
  return { ...listening, browser };
}

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

const chat = { model: 'scripted', messages: [{ role: 'user', content: 'Hello' }] };

describe.each(adapters)('with %s', (adapter) => {
  test('a key is exchanged for a cookie that no script can read, and is not returned', async () => {
    const { browser } = await open({ keys: testKeys().keys, version: '7' }, adapter);
    const response = await browser.signIn({ key: 'admin-key' });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      csrf_token: browser.csrfToken,
      role: 'admin',
      project: 'p',
      key_id: 'id of admin-key',
      key_name: 'name of admin-key',
      permissions: ['read', 'result', 'infer', 'write', 'operate'],
      version: '7',
      video_uploads: false,
    });
    expect(browser.setCookie).toMatch(
      /^modelwire_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(text).not.toContain(browser.cookie.slice('modelwire_session='.length));
    expect(response.headers.get('cache-control')).toBe('no-store');
    const again = await browser.send('GET', '/console/api/session');
    expect(await again.json()).toEqual(JSON.parse(text));
  });

  test.each([
    [{ videoInput: true, remix: true, extend: false }, true],
    [{ videoInput: true, remix: false, extend: true }, true],
    [{ videoInput: true, remix: false, extend: false }, false],
    [{ videoInput: false, remix: true, extend: true }, false],
  ])('the session tells whether a video model takes uploaded videos: %j', async (abilities, expected) => {
    const model = {
      id: 'v',
      created: 1,
      owned_by: 'tests',
      sizes: ['720x1280'],
      seconds: ['4'],
      inputReference: false,
    };
    const video = { name: 'v', models: () => [{ ...model, ...abilities }], render: () => Promise.resolve() };
    const { stores, blobs } = memoryWork();
    const { browser } = await open({ keys: testKeys().keys, stores, blobs, videoEngines: [video] }, adapter);
    expect(await (await browser.signIn({ key: 'infer-key' })).json()).toMatchObject({ video_uploads: expected });
  });

  test('the session has exactly the permissions of its key', async () => {
    for (const [key, role, statuses] of [
      ['full-key', 'member', [200, 200]],
      ['read-key', 'read', [200, 403]],
      ['infer-key', 'member', [200, 200]],
    ] as const) {
      const { browser } = await open({ keys: testKeys().keys }, adapter);
      expect(await (await browser.signIn({ key })).json()).toMatchObject({ role });
      const csrf = { 'x-csrf-token': browser.csrfToken };
      const models = await browser.send('GET', '/v1/models');
      const completion = await browser.send('POST', '/v1/chat/completions', csrf, chat);
      expect([models.status, completion.status]).toEqual(statuses);
    }
  });

  test('requests with unsafe methods need the CSRF token of the session', async () => {
    const { browser } = await open({ keys: testKeys().keys }, adapter);
    await browser.signIn({ key: 'admin-key' });
    const { csrfToken: otherToken } = browser;
    browser.cookie = '';
    await browser.signIn({ key: 'full-key' });
    for (const headers of [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': otherToken },
      { 'x-csrf-token': `${browser.csrfToken}x` },
    ] as readonly Headers[]) {
      const refused = await browser.send('POST', '/v1/chat/completions', headers, chat);
      expect(refused.status).toBe(403);
      expect(await codeOf(refused)).toBe('invalid_csrf_token');
      expect((await browser.send('DELETE', '/console/api/session', headers)).status).toBe(403);
    }
    const served = await browser.send('POST', '/v1/chat/completions', { 'x-csrf-token': browser.csrfToken }, chat);
    expect(served.status).toBe(200);
  });

  test('requests of other sites and origins are refused even with a valid CSRF token', async () => {
    const { browser } = await open({ keys: testKeys().keys, cors: { origins: ['*'] } }, adapter);
    await browser.signIn({ key: 'admin-key' });
    const csrf = { 'x-csrf-token': browser.csrfToken };
    const { host } = new URL(browser.url);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: browser.url },
      { origin: 'http://evil.example' },
      { origin: `http://${host}.evil.example` },
      { origin: 'null' },
    ] as readonly Headers[]) {
      for (const [method, path, body] of [
        ['GET', '/v1/models', undefined],
        ['GET', '/console/api/session', undefined],
        ['POST', '/v1/chat/completions', chat],
        ['POST', '/console/api/session', { key: 'full-key' }],
        ['DELETE', '/console/api/session', undefined],
      ] as const) {
        const refused = await browser.send(method, path, { ...csrf, ...headers }, body);
        expect([method, path, headers, refused.status]).toEqual([method, path, headers, 403]);
        expect(await codeOf(refused)).toBe('cross_site_request');
        expect(refused.headers.get('set-cookie')).toBeNull();
      }
    }
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'https://proxied.example' },
      { 'sec-fetch-site': 'none' },
      { origin: browser.url },
      { origin: 'https://proxied.example', 'x-forwarded-host': 'proxied.example' },
    ] as readonly Headers[])
      expect((await browser.send('POST', '/v1/chat/completions', { ...csrf, ...headers }, chat)).status).toBe(200);
  });

  test('a key in the Authorization header takes precedence over the cookie and needs no CSRF token', async () => {
    const { browser } = await open({ keys: testKeys().keys }, adapter);
    await browser.signIn({ key: 'read-key' });
    const withKey = await browser.send('POST', '/v1/chat/completions', { authorization: 'Bearer full-key' }, chat);
    expect(withKey.status).toBe(200);
    const wrong = await browser.send('GET', '/v1/models', { authorization: 'Bearer wrong' });
    expect(await codeOf(wrong)).toBe('invalid_api_key');
    // A reverse proxy with basic authentication sends such a header.
    expect((await browser.send('GET', '/v1/models', { authorization: 'Basic YTpi' })).status).toBe(200);
  });

  test('signing out ends the session on the server', async () => {
    const { browser } = await open({ keys: testKeys().keys }, adapter);
    await browser.signIn({ key: 'full-key' });
    const signedOut = await browser.send('DELETE', '/console/api/session', { 'x-csrf-token': browser.csrfToken });
    expect(await signedOut.json()).toEqual({ deleted: true, sign_out_url: null });
    expect(signedOut.headers.get('set-cookie')).toMatch(/^modelwire_session=; Max-Age=0; Path=\/;/);
    const refused = await browser.send('GET', '/v1/models');
    expect([refused.status, await codeOf(refused)]).toEqual([401, 'invalid_session']);
  });

  test('wrong keys and codes, and requests without a session, get a 401 and no cookie', async () => {
    const { browser } = await open({ keys: testKeys().keys }, adapter);
    for (const [body, status, code] of [
      [{ key: 'wrong' }, 401, 'invalid_api_key'],
      [{ key: '' }, 401, 'invalid_api_key'],
      [{ code: 'wrong' }, 401, 'invalid_sign_in_code'],
      [{}, 400, 'invalid_value'],
      [{ key: 'full-key', code: 'x' }, 400, 'invalid_value'],
      [{ key: 7 }, 400, 'invalid_type'],
    ] as const) {
      const refused = await browser.signIn(body);
      expect([refused.status, await codeOf(refused)]).toEqual([status, code]);
      expect(browser.setCookie).toBe('');
    }
    expect(await codeOf(await browser.send('GET', '/console/api/session'))).toBe('missing_api_key');
    browser.cookie = `modelwire_session=${'A'.repeat(43)}`;
    expect(await codeOf(await browser.send('GET', '/console/api/session'))).toBe('invalid_session');
  });
});

test('a session ends when its key is revoked', async () => {
  const { keys, revoke } = testKeys();
  const { browser } = await open({ keys });
  await browser.signIn({ key: 'full-key' });
  expect((await browser.send('GET', '/v1/models')).status).toBe(200);
  revoke('full-key');
  expect(await codeOf(await browser.send('GET', '/v1/models'))).toBe('invalid_session');
});

test('signing in does not reuse a token that is already in the browser: it issues a new one and ends the old session', async () => {
  const { browser } = await open({ keys: testKeys().keys });
  await browser.signIn({ key: 'read-key' });
  const plantedCookie = browser.cookie;
  await browser.signIn({ key: 'admin-key' });
  expect(browser.cookie).not.toBe(plantedCookie);
  expect(await (await browser.send('GET', '/console/api/session')).json()).toMatchObject({ role: 'admin' });
  browser.cookie = plantedCookie;
  expect((await browser.send('GET', '/console/api/session')).status).toBe(401);
  browser.cookie = `modelwire_session=${'A'.repeat(43)}`;
  await browser.signIn({ key: 'admin-key' });
  expect(browser.cookie).not.toContain('AAAA');
});

test('a code can be used once', async () => {
  const { browser, server } = await open({ keys: testKeys().keys });
  const code = (await server.createSignInCode('admin-key')) ?? '';
  const attempts = await Promise.all(
    Array.from({ length: 8 }, () => browser.send('POST', '/console/api/session', {}, { code })),
  );
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(401)]);
  expect(await server.createSignInCode('wrong')).toBeUndefined();
});

test('a code is not valid as a session token, and a session token is not valid as a code', async () => {
  const { browser, server } = await open({ keys: testKeys().keys });
  const code = (await server.createSignInCode('admin-key')) ?? '';
  browser.cookie = `modelwire_session=${code}`;
  expect((await browser.send('GET', '/v1/models')).status).toBe(401);
  browser.cookie = '';
  await browser.signIn({ key: 'admin-key' });
  const token = browser.cookie.slice('modelwire_session='.length);
  expect((await browser.send('POST', '/console/api/session', {}, { code: token })).status).toBe(401);
});

test('a code expires after ten minutes', async () => {
  const clock = fakeClock();
  const { browser, server } = await open({ keys: testKeys().keys, clock });
  const [early, late] = [await server.createSignInCode('admin-key'), await server.createSignInCode('admin-key')];
  clock.advance(599_000);
  expect((await browser.signIn({ code: early })).status).toBe(200);
  clock.advance(1000);
  expect((await browser.signIn({ code: late })).status).toBe(401);
});

test('refuses 1,000 wrong codes, most of them without a query, and the correct code stays valid', async () => {
  let at = 0;
  const sessions = memorySessionStore(systemClock);
  const find = vi.spyOn(sessions, 'find');
  const stores = { ...memoryWork().stores, sessions };
  const rateLimiter = memoryRateLimiter({ clock: { monotonic: () => at } });
  const { browser, server } = await open({ keys: testKeys().keys, stores, rateLimiter });
  const code = (await server.createSignInCode('admin-key')) ?? '';
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < 1000; sent += 100) {
    const wrong = Array.from({ length: 100 }, (_, index) => String(sent + index).padStart(43, 'A'));
    const responses = await Promise.all(
      wrong.map((guess) => browser.send('POST', '/console/api/session', {}, { code: guess })),
    );
    for (const response of responses) {
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(statuses)).toEqual({ 401: 60, 429: 940 });
  expect(find).toHaveBeenCalledTimes(60);
  const limited = await browser.signIn({ code });
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  // The limit does not apply to API requests.
  expect((await browser.send('GET', '/v1/models', { authorization: 'Bearer full-key' })).status).toBe(200);
  at += 60_000;
  expect((await browser.signIn({ code })).status).toBe(200);
});

test('a session expires after twelve hours without a request, and after seven days in any case', async () => {
  const clock = fakeClock();
  const { browser } = await open({ keys: testKeys().keys, clock });
  await browser.signIn({ key: 'full-key' });
  const status = async () => (await browser.send('GET', '/v1/models')).status;
  clock.advance(12 * hour - 1000);
  expect(await status()).toBe(200);
  clock.advance(12 * hour);
  expect(await status()).toBe(401);
  await browser.signIn({ key: 'full-key' });
  for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
    clock.advance(8 * hour);
    expect(await status()).toBe(200);
  }
  clock.advance(8 * hour);
  expect(await status()).toBe(401);
});

test('the store contains neither the token nor the key', async () => {
  const sessions = memorySessionStore(systemClock);
  const add = vi.spyOn(sessions, 'add');
  const { browser, server } = await open({
    keys: testKeys().keys,
    stores: { ...memoryWork().stores, sessions },
  });
  await browser.signIn({ key: 'full-key' });
  const code = (await server.createSignInCode('full-key')) ?? '';
  const stored = JSON.stringify(add.mock.calls);
  expect(add).toHaveBeenCalledTimes(2);
  for (const secret of ['full-key', code, browser.cookie.slice('modelwire_session='.length), browser.csrfToken])
    expect(stored).not.toContain(secret);
});

test('the cookie is Secure if the browser uses HTTPS, also if a proxy terminates TLS', async () => {
  const { browser } = await open({ keys: testKeys().keys });
  for (const headers of [
    { origin: 'https://console.example', 'sec-fetch-site': 'same-origin' },
    { 'x-forwarded-proto': 'https' },
  ] as readonly Headers[]) {
    await browser.signIn({ key: 'full-key' }, headers);
    expect(browser.setCookie).toMatch(/; Secure$/);
  }
  await browser.signIn({ key: 'full-key' }, { origin: browser.url });
  expect(browser.setCookie).not.toContain('Secure');
});

test.each([
  ['/console/', '/'],
  ['/console/usage?a=b', '/'],
  ['/prefix/console/', '/prefix'],
  ['/a/b/console/completions/x', '/a/b'],
  ['/elsewhere', '/'],
  ['/a;b/console/', '/'],
  ['/a%0d%0aset-cookie/console/', '/a%0d%0aset-cookie'],
])('the path of the cookie, for a page at %s, is %s', async (page, path) => {
  const { browser } = await open({ keys: testKeys().keys });
  await browser.signIn({ key: 'full-key' }, { referer: `${browser.url}${page}` });
  expect(browser.setCookie.split('; ')).toContain(`Path=${path}`);
});

test('a server without keys creates administrator sessions for everyone', async () => {
  const { browser } = await open({ keys: 'open' });
  const response = await browser.send('GET', '/console/api/session');
  expect(await response.json()).toMatchObject({ role: 'admin', csrf_token: '', project: 'default' });
  browser.cookie = `modelwire_session=${'A'.repeat(43)}`;
  expect((await browser.send('POST', '/v1/chat/completions', {}, chat)).status).toBe(200);
});

test('returns an error without sessions if the authenticator cannot find keys by their hash', async () => {
  const { authenticate } = testKeys().keys;
  const { browser } = await open({ keys: { authenticate } });
  const refused = await browser.signIn({ key: 'full-key' });
  expect([refused.status, await codeOf(refused)]).toEqual([501, 'sessions_unsupported']);
});
