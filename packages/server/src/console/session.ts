import type { KeyRole, Principal } from '@modelwire/ports';
import * as z from 'zod';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { RequestError, invalid, invalidKey } from '../errors.ts';
import type { Reply } from '../http/reply.ts';
import { hashKey } from '../keys/make-key.ts';
import { permissionsOfRole } from '../permissions.ts';
import type { Permission } from '../permissions.ts';
import { assertSameOrigin } from '../sessions/assert-same-origin.ts';
import { clearSessionCookie, scopeOfRequest, sessionTokenOf, setSessionCookie } from '../sessions/cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { limitSignIns } from './limit-sign-ins.ts';
import { signInUrls } from './sign-in-urls.ts';

export const signInSchema = z.strictObject({
  key: z.string().max(4096).optional(),
  code: z.string().max(4096).optional(),
});
type SignIn = z.output<typeof signInSchema>;

/** The session as the endpoints return it. */
interface SessionObject {
  /** Empty if the request was authenticated without a session. */
  readonly csrf_token: string;
  readonly role: 'admin' | 'member' | 'read';
  readonly project: string;
  /** The ID of the key, or of the person. */
  readonly key_id: string;
  readonly key_name: string;
  readonly permissions: readonly Permission[];
  readonly version: string;
  /** Whether a model edits or extends uploaded videos. */
  readonly video_uploads: boolean;
}

/** POST /console/api/session: exchanges an API key or a one-time code for a session cookie. */
export async function createSession(call: Call<SignIn, undefined>, server: ServerContext): Promise<Reply> {
  const sessions = requireKeySessions(server);
  // Prevents login CSRF: a page of another site must not sign this browser in with an attacker's key.
  assertSameOrigin({ url: call.request.url, header: call.header });
  await limitSignIns(call.request, server);
  const keyHash = await resolveKeyHash(call.body, sessions, server);
  const session = keyHash === undefined ? undefined : await sessions.start({ keyHash, person: null });
  if (!session) throw call.body.code === undefined ? invalidKey() : invalidCode();
  const { principal, csrfToken } = session;
  call.logRecord.keyId = principal.keyId;
  call.logRecord.project = principal.project;
  // Prevents session fixation: a token that an attacker placed in this browser must not become a session of this key.
  const previousToken = sessionTokenOf(call.header);
  if (previousToken !== undefined) await sessions.revoke(previousToken);
  call.responseHeaders['set-cookie'] = setSessionCookie(session, scopeOfRequest(call.request));
  return sessionReply(call, server, principal, csrfToken);
}

/** GET /console/api/session */
export function readSession(call: Call<undefined, undefined>, server: ServerContext): Reply {
  return sessionReply(call, server, call.principal, call.session?.csrfToken ?? '');
}

/**
 * DELETE /console/api/session: ends the session on the server and in the browser. `sign_out_url` of the reply is the page of the identity
 * provider that ends the session there.
 */
export async function revokeSession(call: Call<undefined, undefined>, server: ServerContext): Promise<Reply> {
  const { session } = call;
  if (session) await server.sessions.revoke(session.token);
  call.responseHeaders['set-cookie'] = clearSessionCookie(scopeOfRequest(call.request));
  call.responseHeaders['cache-control'] = 'no-store';
  const signOutUrl = session?.person ? await findSignOutUrl(server) : undefined;
  return { status: 200, body: { deleted: session !== undefined, sign_out_url: signOutUrl?.href ?? null } };
}

/** Undefined if the provider has no such page, or is unavailable: the session here has ended in any case. */
async function findSignOutUrl({ options }: ServerContext): Promise<URL | undefined> {
  const { identityProvider, report } = options;
  if (!identityProvider) return undefined;
  try {
    return await identityProvider.signOutUrl(signInUrls(identityProvider).console);
  } catch (error) {
    report('a person was not signed out at the identity provider', error);
    return undefined;
  }
}

/** GET /console/api/sign-in: how people can sign in besides with a key. */
export function readSignInMethods(
  { responseHeaders }: Call<undefined, undefined>,
  { options: { identityProvider } }: ServerContext,
): Reply {
  responseHeaders['cache-control'] = 'no-store';
  const method = identityProvider && { name: identityProvider.name, url: signInUrls(identityProvider).start.href };
  return { status: 200, body: { identity_provider: method ?? null } };
}

/**
 * The hash of the key in the body, or of the key for which the one-time code was created; undefined if the key or the code is invalid.
 *
 * @throws a 400 if the body has neither or both.
 */
async function resolveKeyHash(
  { key, code }: SignIn,
  sessions: Sessions,
  server: ServerContext,
): Promise<string | undefined> {
  if (code !== undefined && key === undefined) return sessions.redeemCode(code);
  if (key === undefined || code !== undefined) throw invalid('key', "Send either 'key' or 'code'.");
  // Not by the hash: the authenticator may accept keys that it cannot find by their hash.
  return (await server.options.authenticator.authenticate(key)) ? hashKey(key) : undefined;
}

/** @throws a 501 if keys cannot be found by their hash: then people have sessions, at most. */
function requireKeySessions({ sessions, options }: ServerContext): Sessions {
  if (options.authenticator.authenticateHash) return sessions;
  throw new RequestError(
    "Signing in to the console with a key is not supported: the authenticator of this server does not implement 'authenticateHash'.",
    { status: 501, code: 'sessions_unsupported' },
  );
}

function invalidCode(): RequestError {
  return new RequestError(
    'The sign-in code is wrong, was used before, or is older than ten minutes. Sign in with an API key.',
    { status: 401, code: 'invalid_sign_in_code' },
  );
}

function sessionReply(
  { responseHeaders }: Call<unknown, undefined>,
  { options, models }: ServerContext,
  { role = 'full', project, keyId, keyName }: Principal,
  csrfToken: string,
): Reply {
  responseHeaders['cache-control'] = 'no-store';
  const body: SessionObject = {
    csrf_token: csrfToken,
    role: toConsoleRole(role),
    project,
    key_id: keyId,
    key_name: keyName ?? keyId,
    permissions: permissionsOfRole[role],
    version: options.version,
    video_uploads: models.video.all().some(({ videoInput, remix, extend }) => videoInput && (remix || extend)),
  };
  return { status: 200, body };
}

function toConsoleRole(role: KeyRole): SessionObject['role'] {
  switch (role) {
    case 'admin':
      return 'admin';
    case 'read_only':
      return 'read';
    case 'full':
    case 'inference_only':
      return 'member';
  }
}
