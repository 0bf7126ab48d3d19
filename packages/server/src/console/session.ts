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
import { clearSessionCookie, sessionTokenOf, setSessionCookie } from '../sessions/cookie.ts';
import { noSessions } from '../sessions/sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';

export const signInSchema = z.strictObject({
  key: z.string().max(4096).optional(),
  code: z.string().max(4096).optional(),
});
type SignIn = z.output<typeof signInSchema>;

/** Maximum number of sign-in attempts per minute for each address. */
const maxSignInsPerMinute = 60;

/** The session as the endpoints return it. */
interface SessionObject {
  /** Empty if the request was authenticated without a session. */
  readonly csrf_token: string;
  readonly role: 'admin' | 'member' | 'read';
  readonly project: string;
  readonly key_name: string;
  readonly permissions: readonly Permission[];
  readonly version: string;
}

/** POST /console/api/session: exchanges an API key or a one-time code for a session cookie. */
export async function createSession(call: Call<SignIn, undefined>, server: ServerContext): Promise<Reply> {
  const sessions = requireSessions(server);
  // Prevents login CSRF: a page of another site must not sign this browser in with an attacker's key.
  assertSameOrigin({ url: call.request.url, header: call.header });
  await limitSignIns(call, server);
  const keyHash = await resolveKeyHash(call.body, sessions, server);
  const session = keyHash === undefined ? undefined : await sessions.start(keyHash);
  if (!session) throw call.body.code === undefined ? invalidKey() : invalidCode();
  const { principal, csrfToken, token } = session;
  call.logRecord.keyId = principal.keyId;
  call.logRecord.project = principal.project;
  // Prevents session fixation: a token that an attacker placed in this browser must not become a session of this key.
  const previousToken = sessionTokenOf(call.header);
  if (previousToken !== undefined) await sessions.revoke(previousToken);
  call.responseHeaders['set-cookie'] = setSessionCookie(token, { url: call.request.url, header: call.header });
  return sessionReply(call, server, principal, csrfToken);
}

/** GET /console/api/session */
export function readSession(call: Call<undefined, undefined>, server: ServerContext): Reply {
  return sessionReply(call, server, call.principal, call.session?.csrfToken ?? '');
}

/** DELETE /console/api/session: ends the session on the server and in the browser. */
export async function revokeSession(call: Call<undefined, undefined>, server: ServerContext): Promise<Reply> {
  if (call.session) await server.sessions.revoke(call.session.token);
  call.responseHeaders['set-cookie'] = clearSessionCookie({ url: call.request.url, header: call.header });
  call.responseHeaders['cache-control'] = 'no-store';
  return { status: 200, body: { deleted: call.session !== undefined } };
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

async function limitSignIns({ request }: Call<SignIn, undefined>, server: ServerContext): Promise<void> {
  const address = request.remoteAddress?.() ?? 'unknown';
  const subject = { id: `sign-in:${address}`, requestsPerMinute: maxSignInsPerMinute, tokensPerMinute: null };
  const { retryAfterMs } = await server.signInLimiter.consume([subject]);
  if (retryAfterMs === 0) return;
  const seconds = Math.ceil(retryAfterMs / 1000);
  throw new RequestError(`Too many attempts to sign in from this address. Please try again in ${seconds} s.`, {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(retryAfterMs) },
  });
}

function requireSessions({ sessions }: ServerContext): Sessions {
  if (sessions !== noSessions) return sessions;
  throw new RequestError(
    "Signing in to the console is not supported: the authenticator of this server does not implement 'authenticateHash'.",
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
  { options }: ServerContext,
  { role = 'full', project, keyId, keyName }: Principal,
  csrfToken: string,
): Reply {
  responseHeaders['cache-control'] = 'no-store';
  const body: SessionObject = {
    csrf_token: csrfToken,
    role: toConsoleRole(role),
    project,
    key_name: keyName ?? keyId,
    permissions: permissionsOfRole[role],
    version: options.version,
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
