import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';
import Provider from 'oidc-provider';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { OidcSettings } from '../config/oidc.ts';
import { startTestServer } from '../testing/test-server.ts';
import { createOidcProvider } from './oidc-provider.ts';

// The provider prints what a real one has to set.
vi.spyOn(console, 'info').mockImplementation(() => undefined);
vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterAll(() => vi.restoreAllMocks());

const publicUrl = 'https://models.example.com/ai';
const redirectUri = new URL(`${publicUrl}/console/api/sign-in/callback`);
const client = { clientId: 'modelwire', clientSecret: 'a secret: with/special+characters' };

type Claims = Readonly<Record<string, unknown>>;

/** Listens on a free port until the end of the test. The listener is made for the URL. */
async function serve(listenerOf: (url: string) => RequestListener): Promise<string> {
  const holder: { listener?: RequestListener } = {};
  const url = `http://${await listenForTest(createServer((request, response) => holder.listener?.(request, response)))}`;
  holder.listener = listenerOf(url);
  return url;
}

const settingsOf = (issuer: string, init: Partial<OidcSettings> = {}): OidcSettings => ({
  issuer,
  publicUrl,
  ...client,
  access: [
    { group: 'admins', role: 'admin' },
    { group: 'staff', role: 'full', project: 'shop' },
  ],
  ...init,
});

/** A real provider, at which the person `accountOf` names signs in without a form. */
function serveRealProvider(accounts: Map<string, Claims>, hasClaimsInToken = true): Promise<string> {
  return serve((issuer) => {
    const provider: Provider = new Provider(issuer, {
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [redirectUri.href],
          post_logout_redirect_uris: [`${publicUrl}/console/`],
        },
      ],
      claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: !hasClaimsInToken,
      cookies: { keys: ['key of the cookies'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
      }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({ clientId: client.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    return (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
      void provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
    };
  });
}

/** A browser that follows redirects and keeps cookies until a URL starts with `until`. */
function createBrowser() {
  const cookies = new Map<string, string>();
  async function get(url: string): Promise<Response> {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }
  async function follow(url: string, until: string): Promise<URL> {
    const response = await get(url);
    const location = new URL(response.headers.get('location') ?? `${url}#status-${response.status}`, url);
    return location.href.startsWith(until) || location.hash !== '' ? location : follow(location.href, until);
  }
  return { get, follow, cookies };
}

/** The server with the real provider. `atServer` is the URL at the server for one that the browser sees. */
async function open(accounts: Map<string, Claims>, init: Partial<OidcSettings> = {}, hasClaimsInToken?: boolean) {
  const issuer = await serveRealProvider(accounts, hasClaimsInToken);
  const server = await startTestServer({ oidc: settingsOf(issuer, init) });
  onTestFinished(() => server.stop());
  const browser = createBrowser();
  const atServer = (url: URL) => `${server.url}${url.pathname.slice('/ai'.length)}${url.search}`;
  /** Resolves to the URL that the provider sends the browser back to. */
  const visitProvider = (query = '') =>
    browser.follow(`${server.url}/console/api/sign-in/start${query}`, redirectUri.href);
  return { issuer, server, browser, atServer, visitProvider };
}

test('a person signs in at a real provider, gets the role of the first matching group, and signs out there', async () => {
  const accounts = new Map([['ada', { groups: ['other', 'admins', 'staff'], email: 'ada@example.com' }]]);
  const { issuer, server, browser, atServer, visitProvider } = await open(accounts);
  const signedIn = await browser.get(atServer(await visitProvider('?return_to=usage')));
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([302, `${publicUrl}/console/usage`]);
  const session = await browser.get(`${server.url}/console/api/session`);
  const { csrf_token: csrfToken, ...fields } = (await session.json()) as Claims;
  expect(fields).toMatchObject({ role: 'admin', project: 'default', key_name: 'ada@example.com' });
  const signedOut = await fetch(`${server.url}/console/api/session`, {
    method: 'DELETE',
    headers: {
      cookie: `modelwire_session=${browser.cookies.get('modelwire_session') ?? ''}`,
      'x-csrf-token': String(csrfToken),
    },
  });
  const { sign_out_url: signOutUrl } = (await signedOut.json()) as { readonly sign_out_url: string };
  expect(signOutUrl).toMatch(`${issuer}/session/end?`);
  // The provider accepts it: it asks whether to sign out.
  expect((await browser.get(signOutUrl)).status).toBe(200);
});

test('groups are read from the user info endpoint if the ID token has none', async () => {
  const accounts = new Map([['ada', { groups: 'staff', name: 'Ada' }]]);
  const { server, browser, atServer, visitProvider } = await open(accounts, {}, false);
  await server.stores.keys.addProject({ ...(await projectOf(server.stores)), id: 'shop' });
  expect((await browser.get(atServer(await visitProvider()))).status).toBe(302);
  const session = await browser.get(`${server.url}/console/api/session`);
  expect(await session.json()).toMatchObject({ role: 'member', project: 'shop', key_name: 'Ada' });
});

test.each<[Claims, string]>([
  [
    { groups: ['guests', '<b>'] },
    'none of the values of the claim &#39;groups&#39; gives access: guests, &#60;b&#62;.',
  ],
  [{ groups: [] }, 'gives access: it is empty.'],
  [{ groups: 'Admins' }, 'gives access: Admins.'],
  [{ groups: { admins: true } }, 'the provider sends no claim &#39;groups&#39;.'],
  [{}, 'the provider sends no claim &#39;groups&#39;.'],
])('a person with the claims %j is refused, with the reason', async (claims, reason) => {
  const { browser, atServer, visitProvider } = await open(new Map([['ada', claims]]));
  const response = await browser.get(atServer(await visitProvider()));
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining(reason)]);
  expect(browser.cookies.has('modelwire_session')).toBe(false);
});

test('a person who is removed from the group is refused at the next sign-in', async () => {
  const accounts = new Map<string, Claims>([['ada', { groups: ['admins'] }]]);
  const { browser, atServer, visitProvider } = await open(accounts);
  expect((await browser.get(atServer(await visitProvider()))).status).toBe(302);
  accounts.set('ada', { groups: [] });
  expect((await browser.get(atServer(await visitProvider()))).status).toBe(403);
});

test('an email address counts as a group only if the provider has verified it', async () => {
  const accounts = new Map<string, Claims>([['ada', { email: 'ada@example.com', email_verified: false }]]);
  const access = [{ group: 'ada@example.com', role: 'admin' as const }];
  const { browser, atServer, visitProvider } = await open(accounts, { groupsClaim: 'email', access });
  const refused = await browser.get(atServer(await visitProvider()));
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('that it has verified')]);
  accounts.set('ada', { email: 'ada@example.com', email_verified: true });
  expect((await browser.get(atServer(await visitProvider()))).status).toBe(302);
});

test('a code works once, and only with its state, in the browser that asked for it', async () => {
  const { server, browser, atServer, visitProvider } = await open(new Map([['ada', { groups: ['admins'] }]]));
  const callback = await visitProvider();
  const withState = new URL(callback);
  withState.searchParams.set('state', 'another');
  expect((await browser.get(atServer(withState))).status).toBe(401);
  const ofOtherIssuer = new URL(callback);
  ofOtherIssuer.searchParams.set('iss', 'https://evil.example');
  expect((await browser.get(atServer(ofOtherIssuer))).status).toBe(401);
  // Another browser, in which somebody else has started to sign in.
  const other = createBrowser();
  await other.get(`${server.url}/console/api/sign-in/start`);
  expect((await other.get(atServer(callback))).status).toBe(401);
  expect((await browser.get(atServer(callback))).status).toBe(302);
  const replayed = await browser.get(atServer(callback));
  expect([replayed.status, await replayed.text()]).toEqual([
    401,
    expect.stringContaining('the code is wrong, was used before, or has expired'),
  ]);
});

test('a person who refuses at the provider is told so', async () => {
  const { browser, atServer, visitProvider } = await open(new Map());
  const callback = await visitProvider();
  callback.searchParams.delete('code');
  callback.searchParams.set('error', 'access_denied');
  const response = await browser.get(atServer(callback));
  expect([response.status, await response.text()]).toEqual([
    401,
    expect.stringContaining('the identity provider replied access_denied'),
  ]);
});

test('to use another account, the provider asks for it again', async () => {
  const { browser, server } = await open(new Map());
  const response = await browser.get(`${server.url}/console/api/sign-in/start?again=true`);
  expect(new URL(response.headers.get('location') ?? '').searchParams.get('prompt')).toBe('login');
});

test('a provider that refuses the secret of the server is named as the cause', async () => {
  const { browser, atServer, visitProvider } = await open(new Map(), { clientSecret: 'wrong' });
  const response = await browser.get(atServer(await visitProvider()));
  expect([response.status, await response.text()]).toEqual([
    503,
    expect.stringContaining('cannot be used: it refused the client ID or the client secret'),
  ]);
});

test('a server starts without its provider, serves keys, and names host and cause until the provider is there', async () => {
  const unused = await serve(() => (_, response) => void response.writeHead(502).end());
  const server = await startTestServer({ oidc: settingsOf(unused) });
  onTestFinished(() => server.stop());
  expect((await server.client.models.list()).data).not.toEqual([]);
  const response = await fetch(`${server.url}/console/api/sign-in/start`, { redirect: 'manual' });
  expect([response.status, await response.text()]).toEqual([
    503,
    expect.stringContaining(
      `The identity provider at ${new URL(unused).host} cannot be used: unexpected HTTP response status code, 502.`,
    ),
  ]);
  const stopped = createServer();
  const address = await listenForTest(stopped);
  await new Promise((resolve) => stopped.close(resolve));
  await expect(createOidcProvider(settingsOf(`http://${address}`)).connect()).rejects.toMatchObject({
    message: `The identity provider at ${address} cannot be used: ECONNREFUSED.`,
  });
});

const [signer, stranger] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));

interface Forgery {
  readonly header?: Claims;
  readonly claims?: Claims;
  readonly isUnsigned?: boolean;
  readonly isOfStranger?: boolean;
  readonly metadata?: Claims;
}

/** A provider that sends an ID token with these changes. */
function serveForger({ header, claims, isUnsigned, isOfStranger, metadata }: Forgery, nonceOf: () => string) {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  return serve((issuer) => {
    const replies: Readonly<Record<string, () => object>> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
        ...metadata,
      }),
      '/jwks': () => ({
        keys: [{ ...signer?.publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' }],
      }),
      '/token': () => {
        const payload = { iss: issuer, sub: 'ada', aud: client.clientId, iat: now, exp: now + 60, nonce: nonceOf() };
        const content = `${encode({ alg: 'RS256', kid: '1', ...header })}.${encode({ ...payload, groups: ['admins'], ...claims })}`;
        const key = (isOfStranger ? stranger : signer)?.privateKey;
        const signature = isUnsigned || !key ? '' : sign('sha256', Buffer.from(content), key).toString('base64url');
        return { access_token: 'a', token_type: 'Bearer', id_token: `${content}.${signature}` };
      },
    };
    return (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(replies[request.url ?? '']?.() ?? {}));
    };
  });
}

/** Signs in at a provider that sends an ID token with these changes. */
async function identify(forgery: Forgery) {
  let nonce = '';
  const issuer = await serveForger(forgery, () => nonce);
  const provider = createOidcProvider(settingsOf(issuer));
  const { url, checks } = await provider.start({ redirectUri, mustAuthenticate: false });
  nonce = checks['nonce'] ?? '';
  const verifier = createHash('sha256').update(checks['codeVerifier'] ?? '');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'modelwire',
    redirect_uri: redirectUri.href,
    response_type: 'code',
    scope: 'openid profile email',
    state: checks['state'],
    nonce,
    code_challenge: verifier.digest('base64url'),
    code_challenge_method: 'S256',
  });
  return provider.identify(new URL(`?code=c&state=${checks['state'] ?? ''}`, redirectUri), checks);
}

test('a person has the same ID at each sign-in', async () => {
  const { id, name, groups } = await identify({});
  expect([name, groups]).toEqual(['ada', ['admins']]);
  expect(id).toMatch(/^user_[\da-f]{24}$/);
});

test.each<[Claims, string]>([
  [{ email_verified: true }, 'ada@example.com'],
  [{}, 'ada@example.com'],
  [{ email_verified: false }, 'Ada'],
  [{ email_verified: 'false' }, 'Ada'],
])('with the claims %j the name of a person is %s', async (claims, name) => {
  expect(await identify({ claims: { email: 'ada@example.com', name: 'Ada', ...claims } })).toMatchObject({ name });
});

test.each<[string, Partial<OidcSettings>]>([
  ['issuer', { issuer: 'https://other.example.com' }],
  ['client', { clientId: 'other' }],
  ['claim', { groupsClaim: 'roles' }],
])('a person who was identified with another %s has no access by groups with the same names', async (_, changed) => {
  const person = await identify({});
  const [issuer] = JSON.parse(person.source) as [string];
  const accessWith = (init: Partial<OidcSettings>) => createOidcProvider(settingsOf(issuer, init)).accessOf(person);
  expect(accessWith({})).toEqual({ role: 'admin', project: 'default' });
  expect(accessWith(changed)).toBeUndefined();
});

test.each([
  [0.333, 1199],
  [0.001, 60],
])('a session of %d hours has %d seconds', (sessionHours, seconds) => {
  expect(createOidcProvider(settingsOf('https://login.example.com', { sessionHours })).sessionSeconds).toBe(seconds);
});

test('a user info endpoint that refuses the access token is named as the cause', async () => {
  const userinfo = await serve(
    () => (_, response) => void response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end(),
  );
  await expect(
    identify({ claims: { groups: undefined }, metadata: { userinfo_endpoint: userinfo } }),
  ).rejects.toMatchObject({
    status: 503,
    message: expect.stringMatching(/cannot be used: its user info endpoint refused the access token\.$/) as string,
  });
});

const past = Math.floor(Date.now() / 1000) - 3600;

test.each<[string, Forgery]>([
  ['another nonce', { claims: { nonce: 'another' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['another audience', { claims: { aud: 'another' } }],
  ['another audience besides', { claims: { aud: ['modelwire', 'another'], azp: 'another' } }],
  ['another issuer', { claims: { iss: 'https://evil.example' } }],
  ['a past expiry', { claims: { iat: past - 60, exp: past } }],
  ['a future start', { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }],
  ['no subject', { claims: { sub: undefined } }],
  ['the algorithm none', { header: { alg: 'none', kid: undefined }, isUnsigned: true }],
  ['no signature', { isUnsigned: true }],
  ['the signature of another key', { isOfStranger: true }],
  ['an unknown key', { header: { kid: '2' } }],
  ['an algorithm with the public key as secret', { header: { alg: 'HS256' } }],
])('an ID token with %s is refused', async (_, forgery) => {
  await expect(identify(forgery)).rejects.toMatchObject({ status: 401, code: 'sign_in_failed' });
});

test('metadata of another issuer are refused', async () => {
  await expect(identify({ metadata: { issuer: 'https://evil.example' } })).rejects.toMatchObject({
    status: 503,
    code: 'identity_provider_unavailable',
  });
});

async function projectOf({ keys }: Awaited<ReturnType<typeof startTestServer>>['stores']) {
  const project = await keys.getProject('default');
  if (!project) throw new Error('there is no default project');
  return project;
}
