import { RequestError } from '@modelwire/ports';
import { describe, expect, test, vi } from 'vitest';
import { memoryRateLimiter } from '../limits/memory-rate-limiter.ts';
import type { IdentityProvider } from '../options/types.ts';
import type { ServerOptions } from '../options/options.ts';
import { testConsole } from '../testing/console.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { adapters, key, listen } from '../testing/listen.ts';
import type { Adapter } from '../testing/listen.ts';
import { memoryWork } from '../testing/memory-work.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

const engines = [scriptedEngine(() => says('Hi'))];
const start = '/console/api/sign-in/start';
const callback = '/console/api/sign-in/callback';

/** A provider that has identified Ada, a member of `staff`. */
function testProvider(init: Partial<IdentityProvider> = {}): IdentityProvider {
  return {
    name: 'Acme',
    publicUrl: new URL('https://models.example.com/ai/'),
    sessionSeconds: 8 * 3600,
    start: ({ redirectUri, mustAuthenticate }) =>
      Promise.resolve({
        url: new URL(`https://login.example.com/?to=${redirectUri.href}&must=${mustAuthenticate}`),
        checks: { state: 's1' },
      }),
    identify: () => Promise.resolve({ id: 'user_ada', name: 'ada@example.com', groups: ['staff'], source: 'acme' }),
    accessOf: ({ groups }) => (groups.includes('staff') ? { role: 'full', project: 'default' } : undefined),
    signOutUrl: (returnUrl) => Promise.resolve(new URL(`https://login.example.com/out?to=${returnUrl.href}`)),
    ...init,
  };
}

async function open(
  { provider = testProvider(), ...options }: Partial<ServerOptions> & { readonly provider?: IdentityProvider } = {},
  adapter: Adapter = 'node:http',
) {
  const { url } = await listen({ engines, console: testConsole, identityProvider: provider, ...options }, adapter);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers, redirect: 'manual' });
  /** Signs in as a browser does, and returns the response to its last request. */
  async function signIn(returnTo = '', query = 'code=c&state=s1') {
    const started = await get(`${start}?return_to=${encodeURIComponent(returnTo)}`);
    return get(`${callback}?${query}`, { cookie: cookieOf(started), 'sec-fetch-site': 'cross-site' });
  }
  const sessionOf = (cookie: string) => get('/console/api/session', { cookie });
  return { url, get, signIn, sessionOf };
}

const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

describe.each(adapters)('with %s', (adapter) => {
  test('a person whom the provider identifies gets a session, at the public URL whatever the Host header says', async () => {
    const identify = vi.fn(testProvider().identify);
    const { get, signIn, sessionOf } = await open({ provider: testProvider({ identify }) }, adapter);
    const started = await get(start, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
    expect(started.status).toBe(302);
    expect(started.headers.get('location')).toBe(
      `https://login.example.com/?to=https://models.example.com/ai${callback}&must=false`,
    );
    expect(started.headers.get('set-cookie')).toMatch(
      /^__Host-modelwire_sign_in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const finished = await signIn('completions/chatcmpl-1?tab=raw');
    expect(identify.mock.calls).toEqual([
      [new URL(`https://models.example.com/ai${callback}?code=c&state=s1`), { state: 's1' }],
    ]);
    expect(finished.status).toBe(302);
    expect(finished.headers.get('location')).toBe(
      'https://models.example.com/ai/console/completions/chatcmpl-1?tab=raw',
    );
    expect(finished.headers.get('set-cookie')).toMatch(
      /^modelwire_session=[\w-]{43}; Max-Age=28800; Path=\/ai; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(finished.headers.get('cache-control')).toBe('no-store');
    expect(await (await sessionOf(cookieOf(finished))).json()).toMatchObject({
      csrf_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      role: 'member',
      project: 'default',
      key_name: 'ada@example.com',
      permissions: ['read', 'result', 'infer', 'write'],
    });
  });

  test('the page of a sign-in that fails says why, and offers another account and a key', async () => {
    const identify = () =>
      Promise.reject(new RequestError('No <b>group</b> & "no" access.', { status: 403, code: 'no_access' }));
    const { signIn } = await open({ provider: testProvider({ identify }) }, adapter);
    const response = await signIn();
    expect([response.status, response.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+';/,
    );
    const page = await response.text();
    expect(page).toContain('No &#60;b&#62;group&#60;/b&#62; &#38; &#34;no&#34; access.');
    expect(page).toContain(`href="https://models.example.com/ai${start}?again=true"`);
    expect(page).toContain('href="https://models.example.com/ai/console/"');
    expect(page).toContain(response.headers.get('x-request-id'));
  });
});

test('the console learns how people can sign in', async () => {
  const { get } = await open();
  expect(await (await get('/console/api/sign-in')).json()).toEqual({
    identity_provider: { name: 'Acme', url: `https://models.example.com/ai${start}` },
  });
  const { url } = await listen({ engines, console: testConsole });
  expect(await (await fetch(`${url}/console/api/sign-in`)).json()).toEqual({ identity_provider: null });
  expect((await fetch(url + start)).status).toBe(404);
});

test('to use another account, the person has to authenticate again', async () => {
  const { get } = await open();
  expect((await get(`${start}?again=true`)).headers.get('location')).toMatch(/&must=true$/);
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '\\\\evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  '../v1/files/file-1/content',
  'x/../../../v1',
  '/ai/consolex',
  'https://models.example.com.evil.example/ai/console/',
  'http://models.example.com/ai/console/',
  'https://user@evil.example/ai/console/',
  'api/sign-in/start',
  'http://[',
])('a sign-in does not lead to %s', async (returnTo) => {
  const { signIn } = await open();
  expect((await signIn(returnTo)).headers.get('location')).toBe('https://models.example.com/ai/console/');
});

test.each(['', 'modelwire_sign_in=e30', '__Host-modelwire_sign_in=e30', '__Host-modelwire_sign_in=%%%'])(
  'a sign-in ends only in the browser that started it: with the cookie %o it is a 400',
  async (cookie) => {
    const identify = vi.fn(testProvider().identify);
    const { get } = await open({ provider: testProvider({ identify }) });
    const response = await get(`${callback}?code=c&state=s1`, { cookie });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('This sign-in was started in another browser');
    expect(identify).not.toHaveBeenCalled();
  },
);

test('attempts to finish a sign-in are limited', async () => {
  const { signIn } = await open({ clock: fakeClock() });
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 60; attempt++) statuses.add((await signIn()).status);
  expect([...statuses]).toEqual([302]);
  expect((await signIn()).status).toBe(429);
});

test('an unexpected error is reported on the page without its message', async () => {
  const identify = () => Promise.reject(new Error('secret of the provider'));
  const { signIn } = await open({ provider: testProvider({ identify }) });
  const response = await signIn();
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
});

test('a session ends when the groups of its person give no access any more, and its rights follow the configuration', async () => {
  let access: ReturnType<IdentityProvider['accessOf']> = { role: 'full', project: 'default' };
  const { signIn, sessionOf } = await open({ provider: testProvider({ accessOf: () => access }) });
  const cookie = cookieOf(await signIn());
  access = { role: 'read_only', project: 'default' };
  expect(await (await sessionOf(cookie)).json()).toMatchObject({ role: 'read' });
  access = undefined;
  expect((await sessionOf(cookie)).status).toBe(401);
});

test('a session of a person ends after the time of the provider, also while it is used', async () => {
  const clock = fakeClock();
  const { signIn, sessionOf } = await open({ clock });
  const cookie = cookieOf(await signIn());
  for (let hour = 1; hour < 8; hour++) {
    clock.advance(3_600_000);
    expect((await sessionOf(cookie)).status).toBe(200);
  }
  clock.advance(3_600_000);
  expect((await sessionOf(cookie)).status).toBe(401);
});

test('a session of a person ends without its provider', async () => {
  const { stores } = memoryWork();
  const { signIn } = await open({ stores });
  await stores.keys.addProject(projectRecord('default'));
  const cookie = cookieOf(await signIn());
  const { url } = await listen({ engines, console: testConsole, stores });
  expect((await fetch(`${url}/console/api/session`, { headers: { cookie } })).status).toBe(401);
});

test('requests with unsafe methods need the CSRF token, and those of other sites are refused', async () => {
  const { url, signIn, sessionOf } = await open();
  const cookie = cookieOf(await signIn());
  const { csrf_token: csrfToken } = (await (await sessionOf(cookie)).json()) as { csrf_token: string };
  const chat = (headers: Record<string, string>) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: 'Hello' }] }),
    });
  expect((await chat({})).status).toBe(403);
  expect((await chat({ 'x-csrf-token': csrfToken, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await chat({ 'x-csrf-token': csrfToken })).status).toBe(200);
});

test('a person has access to an existing project only, and shares its limits', async () => {
  const { stores } = memoryWork();
  const { signIn, sessionOf } = await open({ stores, rateLimiter: memoryRateLimiter({ clock: fakeClock() }) });
  const refused = await signIn();
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringContaining('the project of this account does not exist, or is archived'),
  ]);
  await stores.keys.addProject({ ...projectRecord('default'), requestsPerMinute: 1 });
  const cookie = cookieOf(await signIn());
  expect((await sessionOf(cookie)).status).toBe(200);
  expect((await sessionOf(cookie)).status).toBe(429);
  await stores.keys.archiveProject('default', 1);
  expect((await sessionOf(cookie)).status).toBe(401);
});

test('the audit log names the person who signed in and what they changed', async () => {
  const { stores } = memoryWork();
  await stores.keys.addProject(projectRecord('default'));
  const provider = testProvider({ accessOf: () => ({ role: 'admin', project: 'default' }) });
  const { url, signIn, sessionOf } = await open({ stores, provider });
  const cookie = cookieOf(await signIn());
  const { csrf_token: csrfToken } = (await (await sessionOf(cookie)).json()) as { csrf_token: string };
  const headers = { cookie, 'x-csrf-token': csrfToken, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Shop' });
  await fetch(`${url}/v1/organization/projects`, { method: 'POST', headers, body });
  const log = await fetch(`${url}/v1/organization/audit_logs?actor_ids=user_ada`, { headers });
  const actor = { type: 'session', api_key: null, session: { user: { id: 'user_ada', name: 'ada@example.com' } } };
  expect(await log.json()).toMatchObject({
    data: [
      { type: 'project.created', actor },
      { type: 'login.succeeded', actor, resource_id: 'user_ada', changes: { role: 'admin', groups: ['staff'] } },
    ],
  });
  const byName = await fetch(`${url}/v1/organization/audit_logs?actor_emails=ada%40example.com`, { headers });
  expect(await byName.json()).toMatchObject({ data: [{ actor }, { actor }] });
  const people = await fetch(`${url}/console/api/people`, { headers });
  expect(await people.json()).toEqual({ people: [{ id: 'user_ada', name: 'ada@example.com' }] });
});

test('signing out ends the session, and returns the page that ends the one at the provider', async () => {
  const { url, signIn, sessionOf } = await open();
  const cookie = cookieOf(await signIn());
  const { csrf_token: csrfToken } = (await (await sessionOf(cookie)).json()) as { csrf_token: string };
  const headers = { cookie, 'x-csrf-token': csrfToken };
  const response = await fetch(`${url}/console/api/session`, { method: 'DELETE', headers });
  expect(await response.json()).toEqual({
    deleted: true,
    sign_out_url: 'https://login.example.com/out?to=https://models.example.com/ai/console/',
  });
  expect((await sessionOf(cookie)).status).toBe(401);
});

test.each([
  ['has no such page', () => Promise.resolve(undefined), 0],
  ['is unavailable', () => Promise.reject(new Error('down')), 1],
])('signing out ends the session also if the provider %s', async (_, signOutUrl, reports) => {
  const report = vi.fn();
  const { url, signIn, sessionOf } = await open({ provider: testProvider({ signOutUrl }), report });
  const cookie = cookieOf(await signIn());
  const { csrf_token: csrfToken } = (await (await sessionOf(cookie)).json()) as { csrf_token: string };
  const headers = { cookie, 'x-csrf-token': csrfToken };
  const response = await fetch(`${url}/console/api/session`, { method: 'DELETE', headers });
  expect(await response.json()).toEqual({ deleted: true, sign_out_url: null });
  expect(report).toHaveBeenCalledTimes(reports);
  expect((await sessionOf(cookie)).status).toBe(401);
});

test('people can still sign in with a key', async () => {
  const { url } = await open();
  const response = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('set-cookie')).toContain('Max-Age=604800');
});

test('people sign in without a key if the authenticator cannot find keys by their hash', async () => {
  const { url, signIn } = await open({ keys: { authenticate: () => Promise.resolve(undefined) } });
  expect((await signIn()).status).toBe(302);
  const response = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  expect(response.status).toBe(501);
  expect(await response.json()).toMatchObject({ error: { code: 'sessions_unsupported' } });
});

function projectRecord(id: string) {
  return {
    id,
    name: id,
    created: 0,
    archived: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    allowedModels: null,
    maxOutputTokens: null,
    storageLimitBytes: null,
  };
}
