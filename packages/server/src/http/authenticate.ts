import type { Principal, RateDecision } from '@modelwire/ports';
import { RequestError, invalidSession, missingKey, invalidKey } from '../errors.ts';
import { assertPermitted } from '../permissions.ts';
import { assertSameOrigin } from '../sessions/assert-same-origin.ts';
import { sessionTokenOf } from '../sessions/cookie.ts';
import { isCsrfToken, noSessions } from '../sessions/sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { rateLimitHeaders, rateLimited, rateSubjectsOf } from '../admission/rate-limit.ts';
import type { RequestState } from './request-state.ts';

/** The principal of requests that need no key. */
const anonymous: Principal = { keyId: 'none', project: 'none', limits: [] };

/** Safe methods: a page of another site may send them with the cookies of the browser. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Stage: finds the principal of the bearer key (API: Authentication); without a key, that of the console session in the cookie. Checks
 * the permission that the endpoint needs.
 *
 * @throws a 401 for a key that is missing or unknown or a session that has ended, a 403 for one whose role does not permit the request, or a
 * request with a session that another site may have made.
 */
export async function authenticate<Body, Query>(state: RequestState<Body, Query>): Promise<undefined> {
  if (state.route.access === 'public') {
    state.principal = anonymous;
    return;
  }
  const bearer = bearerKey(state.header('authorization'));
  // Clients of the Messages API send `x-api-key`.
  const key = bearer === '' ? (state.header('x-api-key')?.trim() ?? '') : bearer;
  // Not only without an Authorization header: browsers also send the credentials of a proxy in it.
  if (key === '' && state.server.sessions !== noSessions) {
    const token = sessionTokenOf(state.header);
    if (token !== undefined) return authenticateSession(state, state.server.sessions, token);
  }
  // Also called with an empty key: a server with `keys: 'open'` needs none.
  setPrincipal(state, await state.server.options.authenticator.authenticate(key), key);
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
    if (!principal) throw invalidSession();
    setPrincipal(state, principal, '');
    return;
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

/** Sets the principal, and checks its permission. */
function setPrincipal<Body, Query>(
  state: RequestState<Body, Query>,
  principal: Principal | undefined,
  key: string,
): void {
  if (!principal) throw key === '' ? missingKey() : invalidKey();
  const { server, route, logRecord } = state;
  state.principal = principal;
  logRecord.keyId = principal.keyId;
  logRecord.project = principal.project;
  server.meter.recordKeyUse(principal.keyId);
  const { access } = route;
  if (access !== 'any' && access !== 'public') assertPermitted(principal, access);
}

/** Stage: takes one request from the rate limits of the key and the project. @throws a 429. */
export async function rateLimit<Body, Query>(state: RequestState<Body, Query>): Promise<undefined> {
  if (state.route.access === 'public') return;
  const decision = await state.server.options.rateLimiter?.consume(rateSubjectsOf(state.principal));
  if (decision) applyRateDecision(decision, state.responseHeaders);
}

/** `Bearer <key>`, with `bearer` in any case. */
function bearerKey(header: string | null): string {
  const scheme = header?.slice(0, 7);
  if (!header || (scheme !== 'Bearer ' && scheme?.toLowerCase() !== 'bearer ')) return '';
  return header.slice(7).trim();
}

function applyRateDecision(decision: RateDecision, headers: Record<string, string>): void {
  if (decision.requests ?? decision.tokens) Object.assign(headers, rateLimitHeaders(decision));
  if (decision.retryAfterMs > 0) throw rateLimited(decision);
}
