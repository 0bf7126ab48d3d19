import type { Principal } from '@modelwire/ports';
import { RequestError, invalidSession, missingKey, invalidKey } from '../errors.ts';
import { permissionsOfRole } from '../permissions.ts';
import { assertSameOrigin } from '../sessions/assert-same-origin.ts';
import { sessionTokenOf } from '../sessions/cookie.ts';
import { isCsrfToken } from '../sessions/sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { RequestState } from './request-state.ts';

/** The principal of requests that need no key. */
const anonymous: Principal = { keyId: 'none', project: 'none', limits: [] };

/** Safe methods: a page of another site may send them with the cookies of the browser. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Stage: finds the principal of the bearer key (API: Authentication); without a key, that of the console session in the cookie.
 *
 * @throws a 401 for a key that is missing or unknown or a session that has ended, a 403 for one whose role does not permit the request, or a
 * request with a session that another site may have made.
 */
export function authenticate<Body, Query>(state: RequestState<Body, Query>): undefined | Promise<undefined> {
  if (state.route.access === 'public') {
    state.principal = anonymous;
    return undefined;
  }
  const bearer = bearerKey(state.header('authorization'));
  const key = bearer === '' && state.route.acceptsApiKeyHeader ? (state.header('x-api-key')?.trim() ?? '') : bearer;
  // Not only without an Authorization header: browsers also send the credentials of a proxy in it.
  if (key === '' && state.server.sessions) {
    const token = sessionTokenOf(state.header);
    if (token !== undefined) return authenticateSession(state, state.server.sessions, token);
  }
  // Also called with an empty key: a server with `keys: 'open'` needs none.
  const principal = state.server.options.authenticator.authenticate(key);
  if (principal instanceof Promise) return principal.then((principal) => setPrincipal(state, principal, key));
  setPrincipal(state, principal, key);
  return undefined;
}

async function authenticateSession<Body, Query>(
  state: RequestState<Body, Query>,
  sessions: Sessions,
  token: string,
): Promise<undefined> {
  assertSameOrigin(state.request);
  const session = await sessions.find(token);
  if (!session) {
    // A server that needs no key does not need a session either.
    const principal = await state.server.options.authenticator.authenticate('');
    if (principal) {
      setPrincipal(state, principal, '');
      return;
    }
    throw invalidSession();
  }
  if (!safeMethods.has(state.method) && !isCsrfToken(session, state.header('x-csrf-token'))) {
    throw new RequestError(
      "The header 'x-csrf-token' is missing or is not that of this session. Send the `csrf_token` of GET /console/api/session.",
      { status: 403, code: 'invalid_csrf_token' },
    );
  }
  state.session = session;
  // Another user of this browser must not see it.
  state.responseHeaders['cache-control'] = 'private, no-cache';
  setPrincipal(state, session.principal, '');
}

function setPrincipal<Body, Query>(
  state: RequestState<Body, Query>,
  principal: Principal | undefined,
  key: string,
): undefined {
  if (!principal) throw key === '' ? missingKey() : invalidKey();
  state.principal = principal;
  state.logRecord.keyId = principal.keyId;
  state.logRecord.project = principal.project;
  state.server.keyUse?.record(principal.keyId);
  const { access } = state.route;
  if (access === 'any' || access === 'public' || permissionsOfRole[principal.role ?? 'full'].includes(access)) return;
  throw new RequestError(`This key's role '${principal.role ?? 'full'}' does not allow this request.`, {
    status: 403,
    code: 'insufficient_permissions',
  });
}

/** `Bearer <key>`, with `bearer` in any case. */
function bearerKey(header: string | null): string {
  const scheme = header?.slice(0, 7);
  if (!header || (scheme !== 'Bearer ' && scheme?.toLowerCase() !== 'bearer ')) return '';
  return header.slice(7).trim();
}
