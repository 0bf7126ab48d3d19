import { createHash } from 'node:crypto';
import { systemErrorCode } from '@modelwire/adapter-kit';
import { RequestError } from '@modelwire/ports';
import type { Person } from '@modelwire/ports';
import type { IdentityProvider } from '@modelwire/server';
import type * as OpenidClient from 'openid-client';
import type { ClientAuth, Configuration } from 'openid-client';
import type { OidcSettings } from '../config/oidc.ts';

type Client = typeof OpenidClient;
type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Seconds that a request to the provider may take. */
const timeoutSeconds = 10;
const timeoutCode = 'OAUTH_TIMEOUT';

export interface OidcProvider extends IdentityProvider {
  /** Reads the metadata of the provider. @throws a RequestError that names the issuer and the cause. */
  connect(): Promise<unknown>;
}

interface Connection {
  readonly client: Client;
  readonly configuration: Configuration;
}

/** Identifies people by OpenID Connect: the authorization code flow with PKCE, state and nonce. */
export function createOidcProvider(settings: OidcSettings): OidcProvider {
  const {
    issuer,
    clientId,
    scopes = ['profile', 'email'],
    groupsClaim = 'groups',
    access,
    sessionHours = 8,
  } = settings;
  // Equal names of groups mean something else at another provider, for another client, or in another claim.
  const source = JSON.stringify([issuer, clientId, groupsClaim]);
  let connection: Promise<Connection> | undefined;

  function connect(): Promise<Connection> {
    connection ??= discover(settings).catch((error: unknown) => {
      // The next sign-in tries again.
      connection = undefined;
      throw unavailable(issuer, error);
    });
    return connection;
  }
  return {
    name: settings.name ?? new URL(issuer).host,
    publicUrl: new URL(settings.publicUrl.replace(/\/*$/, '/')),
    sessionSeconds: Math.max(60, Math.round(sessionHours * 3600)),
    connect,
    accessOf(person) {
      if (person.source !== source) return undefined;
      const found = access.find(({ group }) => person.groups.includes(group));
      return found && { role: found.role, project: found.project ?? 'default' };
    },
    async start({ redirectUri, mustAuthenticate }) {
      const { client, configuration } = await connect();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri.href,
        scope: [...new Set(['openid', ...scopes])].join(' '),
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
        code_challenge_method: 'S256',
        ...(mustAuthenticate && { prompt: 'login' }),
      });
      return { url, checks };
    },
    async identify(callback, { state, nonce, codeVerifier }) {
      if (!state || !nonce || !codeVerifier) throw signInFailed('the cookie of the sign-in is incomplete');
      const connected = await connect();
      const claims = await readClaims(connected, callback, { state, nonce, codeVerifier }, groupsClaim).catch(
        (error: unknown) => {
          throw toSignInError(connected.client, issuer, error);
        },
      );
      const groups = groupsOf(claims, groupsClaim);
      const person = {
        ...nameOf(issuer, claims),
        groups: groups?.filter((name) => access.some(({ group }) => group === name)) ?? [],
        source,
      };
      if (person.groups.length === 0) throw noAccess(person, groupsClaim, groups);
      return person;
    },
    async signOutUrl(returnUrl) {
      const { client, configuration } = await connect();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnUrl.href });
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Connection> {
  // Not at start: most servers have no provider.
  const client = await import('openid-client');
  const { allowInsecureRequests, enableNonRepudiationChecks } = client;
  const isInsecure = issuer.startsWith('http:');
  const configuration = await client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    clientAuthentication(client, clientSecret),
    {
      timeout: timeoutSeconds,
      // Signatures are checked also of tokens that the provider itself delivers.
      execute: [enableNonRepudiationChecks, ...(isInsecure ? [allowInsecureRequests] : [])],
    },
  );
  return { client, configuration };
}

/** Providers refuse a method that they do not announce; without an announcement it is `client_secret_basic`. */
function clientAuthentication(client: Client, secret: string | undefined): ClientAuth {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(server, ...rest);
  };
}

/** The claims of the ID token, and those of the user info endpoint if the ID token has no groups. */
async function readClaims(
  { client, configuration }: Connection,
  callback: URL,
  { state, nonce, codeVerifier }: { readonly state: string; readonly nonce: string; readonly codeVerifier: string },
  groupsClaim: string,
): Promise<Claims> {
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('the reply has no ID token');
  if (claims[groupsClaim] !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined)
    return claims;
  const userInfo = await client
    .fetchUserInfo(configuration, tokens.access_token, claims.sub)
    .catch((error: unknown) => {
      if (!(error instanceof client.WWWAuthenticateChallengeError)) throw error;
      // Such an error of the token endpoint means that it refused the client.
      const { issuer } = configuration.serverMetadata();
      throw unavailable(issuer, new Error('its user info endpoint refused the access token'));
    });
  return { ...userInfo, ...claims };
}

/** Undefined if the provider sent no such claim. */
function groupsOf(claims: Claims, name: string): readonly string[] | undefined {
  const value = claims[name];
  // Otherwise anyone could enter the address of somebody else in their account.
  if (name === 'email' && claims['email_verified'] !== true) return undefined;
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

function nameOf(issuer: string, claims: Claims): Pick<Person, 'id' | 'name'> {
  const { email, email_verified: isVerified, preferred_username: username, name, sub } = claims;
  // Otherwise the audit log could show the address of somebody else. Many providers do not say whether they have verified it.
  const isRefuted = isVerified === false || isVerified === 'false';
  const displayName = [isRefuted ? undefined : email, username, name].find(
    (claim): claim is string => typeof claim === 'string' && claim !== '',
  );
  // A subject is unique at its issuer only, and may have up to 255 characters.
  const id = createHash('sha256').update(`${issuer}\n${sub}`).digest('hex').slice(0, 24);
  return { id: `user_${id}`, name: (displayName ?? sub).slice(0, 200) };
}

function noAccess({ name }: Person, claim: string, groups: readonly string[] | undefined): RequestError {
  const reason = groups
    ? `none of the values of the claim '${claim}' gives access: ${groups.slice(0, 20).join(', ') || 'it is empty'}.`
    : `the provider sends no claim '${claim}'${claim === 'email' ? ' that it has verified' : ''}.`;
  return new RequestError(`${name} has no access to this server: ${reason}`, { status: 403, code: 'no_access' });
}

function toSignInError(client: Client, issuer: string, error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof client.AuthorizationResponseError) {
    const description = error.error_description === undefined ? '' : `: ${error.error_description}`;
    return signInFailed(`the identity provider replied ${error.error}${description}`, error);
  }
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
    return signInFailed('the code is wrong, was used before, or has expired', error);
  return isOutage(client, error) ? unavailable(issuer, error) : signInFailed(problemOf(error), error);
}

/** Whether the provider did not reply, or refused this server instead of the person. */
function isOutage(client: Client, error: unknown): boolean {
  if (error instanceof TypeError || error instanceof client.ResponseBodyError || hasRefusedClient(error)) return true;
  return error instanceof client.ClientError && (error.code === timeoutCode || error.cause instanceof Response);
}

function signInFailed(reason: string, cause?: unknown): RequestError {
  return new RequestError(`Signing in failed: ${reason}.`, { status: 401, code: 'sign_in_failed', cause });
}

function unavailable(issuer: string, cause: unknown): RequestError {
  return new RequestError(`The identity provider at ${new URL(issuer).host} cannot be used: ${problemOf(cause)}.`, {
    status: 503,
    code: 'identity_provider_unavailable',
    headers: { 'retry-after': '10' },
    cause,
  });
}

function hasRefusedClient(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401;
}

/** What went wrong, with the code of a system error, the status of a reply, or the error that it names. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (hasRefusedClient(error)) return 'it refused the client ID or the client secret';
  if ('error' in error && typeof error.error === 'string') return error.error;
  if (error.cause instanceof Response) return `${error.message}, ${error.cause.status}`;
  const code = systemErrorCode(error);
  if (code === timeoutCode) return 'timeout';
  if (code !== undefined && !code.startsWith('OAUTH_')) return code;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
