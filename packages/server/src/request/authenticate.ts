import { missingKey, wrongKey } from '../errors.ts';
import type { Authenticator, Principal } from '../ports/authenticator.ts';

/** Who sends a request (interface: Authentication): `Authorization: Bearer <key>`, in any case of `bearer`. */
export async function authenticate(header: string | null, authenticator: Authenticator): Promise<Principal> {
  const key = bearer(header);
  // Asked with an empty key too: a server open to all needs none.
  const principal = await authenticator.authenticate(key);
  if (principal) return principal;
  throw key === '' ? missingKey() : wrongKey();
}

function bearer(header: string | null): string {
  if (!header || header.slice(0, 7).toLowerCase() !== 'bearer ') return '';
  return header.slice(7).trim();
}
