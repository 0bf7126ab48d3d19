import { missingKey, wrongKey } from '../errors.ts';
import type { Authenticator, Principal } from '@modelwire/ports';

/** Who sends a request (interface: Authentication): `Authorization: Bearer <key>`, in any case of `bearer`. */
export function authenticate(header: string | null, authenticator: Authenticator): Principal | Promise<Principal> {
  const key = bearer(header);
  // Asked with an empty key too: a server open to all needs none.
  const principal = authenticator.authenticate(key);
  return principal instanceof Promise ? principal.then((found) => known(found, key)) : known(principal, key);
}

function known(principal: Principal | undefined, key: string): Principal {
  if (principal) return principal;
  throw key === '' ? missingKey() : wrongKey();
}

function bearer(header: string | null): string {
  if (!header || header.slice(0, 7).toLowerCase() !== 'bearer ') return '';
  return header.slice(7).trim();
}
