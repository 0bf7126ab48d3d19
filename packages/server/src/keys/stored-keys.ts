import type { Authenticator, Principal } from '../ports/authenticator.ts';
import type { KeyRecord, KeyStore, ProjectRecord } from '../ports/key-store.ts';
import { hashKey } from './make-key.ts';

export interface StoredKeysOptions {
  /** How long what is known of a key is trusted, in milliseconds: a revocation reaches every replica within it. Default 2000. */
  readonly trustMs?: number;
  /** Keys remembered at most. Default 10,000. */
  readonly remember?: number;
  /** Unix milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

/**
 * Keys as they are in the store. They are looked up by their hash: what differs in time says something of the hash of a guess,
 * which says nothing of a key.
 */
export function storedKeys(
  store: KeyStore,
  { trustMs = 2000, remember = 10_000, now = Date.now }: StoredKeysOptions = {},
): Authenticator {
  const known = new Map<string, { readonly until: number; readonly found: ReturnType<KeyStore['findByHash']> }>();
  return {
    async authenticate(key) {
      const hash = hashKey(key);
      const at = now();
      let entry = known.get(hash);
      if (!entry || entry.until <= at) {
        // The lookup itself is remembered: a burst with one key asks the store once.
        entry = { until: at + trustMs, found: store.findByHash(hash) };
        entry.found.catch(() => known.delete(hash));
        known.delete(hash);
        known.set(hash, entry);
        if (known.size > remember) known.delete(known.keys().next().value ?? '');
      }
      const found = await entry.found;
      if (!found || !isValid(found.key, at)) return undefined;
      return principalOf(found.key, found.project);
    },
  };
}

function isValid({ revoked, expires }: KeyRecord, nowMs: number): boolean {
  return revoked === null && (expires === null || nowMs < expires * 1000);
}

function principalOf(key: KeyRecord, project: ProjectRecord | undefined): Principal {
  return {
    keyId: key.id,
    project: key.project,
    role: key.role,
    limits: [
      { id: `key:${key.id}`, ...limitsOf(key) },
      // null: the limiter's defaults are for keys, not for what they share.
      {
        id: `project:${key.project}`,
        requestsPerMinute: project?.requestsPerMinute ?? null,
        tokensPerMinute: project?.tokensPerMinute ?? null,
      },
    ],
  };
}

function limitsOf({ requestsPerMinute, tokensPerMinute }: Pick<KeyRecord, 'requestsPerMinute' | 'tokensPerMinute'>) {
  return {
    ...(requestsPerMinute !== null && { requestsPerMinute }),
    ...(tokensPerMinute !== null && { tokensPerMinute }),
  };
}
