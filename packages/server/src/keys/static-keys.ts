import type { Authenticator, Principal } from '@modelwire/ports';
import { hashKey } from './make-key.ts';

/**
 * A fixed list of keys, all of one project. Logs call the n-th key `key_n`.
 *
 * @throws TypeError for an empty list, or a key that a header cannot contain.
 */
export function staticKeys(keys: readonly string[], project = 'default'): Authenticator {
  if (keys.length === 0) throw new TypeError("keys is empty: give at least one key, an authenticator, or 'open'");
  if (!keys.every((key) => /^[\x21-\x7e]+$/.test(key)))
    throw new TypeError('keys: each is visible ASCII, and none is empty');
  const entries = keys.map((key, index) => ({ key, principal: { keyId: `key_${index + 1}`, project } }));
  let byHash: ReadonlyMap<string, Principal> | undefined;
  return {
    authenticateHash(hash) {
      byHash ??= new Map(entries.map(({ key, principal }) => [hashKey(key), principal]));
      return byHash.get(hash);
    },
    authenticate(presentedKey) {
      let found: Principal | undefined;
      // All keys are compared in full, so that the duration does not reveal which one matched, or how far.
      for (const { key, principal } of entries) if (equalInConstantTime(presentedKey, key)) found = principal;
      return found;
    },
  };
}

/** Requires no key and allows everything, for a server that is protected by other means. */
export function openToAll(): Authenticator {
  const principal: Principal = { keyId: 'open', project: 'default', role: 'admin' };
  return { authenticate: () => principal, authenticateHash: () => principal };
}

function equalInConstantTime(presentedKey: string, key: string): boolean {
  let difference = presentedKey.length ^ key.length;
  for (let i = 0; i < presentedKey.length; i++)
    difference |= presentedKey.charCodeAt(i) ^ key.charCodeAt(i % key.length);
  return difference === 0;
}
