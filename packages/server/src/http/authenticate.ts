import type { KeyRole, Principal } from '@modelwire/ports';
import { RequestError, missingKey, wrongKey } from '../errors.ts';
import type { RequestState } from './request-state.ts';
import type { Access } from './route.ts';

const permissions: Readonly<Record<KeyRole, readonly Access[]>> = {
  full: ['read', 'infer', 'write'],
  read_only: ['read'],
  inference_only: ['infer'],
  admin: ['read', 'infer', 'write', 'operate'],
};

/**
 * Stage: finds the principal of the bearer key (interface: Authentication).
 *
 * @throws a 401 for a key that is missing or unknown, a 403 for one whose role does not permit the request.
 */
export function authenticate<Body, Query>(state: RequestState<Body, Query>): undefined | Promise<undefined> {
  const bearer = bearerKey(state.header('authorization'));
  const key = bearer === '' && state.route.acceptsApiKeyHeader ? (state.header('x-api-key')?.trim() ?? '') : bearer;
  // Also called with an empty key: a server with `keys: 'open'` needs none.
  const found = state.kit.options.authenticator.authenticate(key);
  if (found instanceof Promise) return found.then((principal) => setPrincipal(state, principal, key));
  setPrincipal(state, found, key);
  return undefined;
}

function setPrincipal<Body, Query>(
  state: RequestState<Body, Query>,
  principal: Principal | undefined,
  key: string,
): undefined {
  if (!principal) throw key === '' ? missingKey() : wrongKey();
  state.principal = principal;
  state.entry.keyId = principal.keyId;
  state.entry.project = principal.project;
  const { access } = state.route;
  if (access === 'any' || permissions[principal.role ?? 'full'].includes(access)) return;
  throw new RequestError(`This key's role '${principal.role ?? 'full'}' does not allow this request.`, {
    status: 403,
    code: 'insufficient_permissions',
  });
}

/** `Bearer <key>`, with `bearer` in any case. */
function bearerKey(header: string | null): string {
  if (!header || header.slice(0, 7).toLowerCase() !== 'bearer ') return '';
  return header.slice(7).trim();
}
