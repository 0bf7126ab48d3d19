import type { Authenticator, Clock, FoundKey, KeyRecord, KeyStore, Principal, ProjectRecord } from '@modelwire/ports';
import { systemClock } from '../clock.ts';
import { hashKey } from './make-key.ts';

export interface StoredKeysOptions {
  /**
   * How long a lookup is cached in memory, in milliseconds. A change by another process takes effect within this time, a change through
   * `store` at once. Default 2000.
   */
  readonly cacheTtlMs?: number;
  /** Maximum number of cached lookups. Default 10,000. */
  readonly cacheSize?: number;
  /** For tests. Default: the clock of the system. */
  readonly clock?: Clock;
}

/**
 * Authenticates the keys of a store; lookups are cached. Keys are looked up by their hash: timing differences reveal something about the
 * hash of a guess, but nothing about a key. An expired key is refused from the second of its expiry, also while its lookup is cached.
 */
export function storedKeys(
  store: KeyStore,
  { cacheTtlMs = 2000, cacheSize = 10_000, clock = systemClock }: StoredKeysOptions = {},
): Authenticator {
  const cache = new Map<string, CachedLookup>();

  // A pending lookup is dropped, too: it may have read the old record.
  store.onChange?.(() => cache.clear());

  /** Lookups are cached from their start, so that a burst of requests with one key queries the store once. */
  function lookUp(hash: string, at: number): CachedLookup {
    const entry: CachedLookup = { until: at + cacheTtlMs, pending: undefined, found: undefined };
    entry.pending = store.findByHash(hash).then(
      (found) => {
        entry.found = found;
        entry.pending = undefined;
      },
      (error: unknown) => {
        if (cache.get(hash) === entry) cache.delete(hash);
        throw error;
      },
    );
    cache.delete(hash);
    cache.set(hash, entry);
    if (cache.size > cacheSize) cache.delete(cache.keys().next().value ?? '');
    return entry;
  }
  async function authenticateHash(hash: string): Promise<Principal | undefined> {
    const at = clock.monotonic();
    const cached = cache.get(hash);
    const entry = cached && cached.until > at ? cached : lookUp(hash, at);
    await entry.pending;
    // The expiry of a key is a timestamp.
    return principalAt(clock.now(), entry.found);
  }
  return { authenticate: (key) => authenticateHash(hashKey(key)), authenticateHash };
}

type Found = FoundKey | undefined;

interface CachedLookup {
  /** By the monotonic clock. */
  readonly until: number;
  /** While the lookup is pending. */
  pending: Promise<void> | undefined;
  found: Found;
}

function principalAt(at: number, found: Found): Principal | undefined {
  return found && isValid(found, at) ? principalOf(found.key, found.project) : undefined;
}

function isValid({ key: { revoked, expires }, project, validUntil }: FoundKey, nowMs: number): boolean {
  const expiresAt = Math.min(expires ?? Infinity, validUntil ?? Infinity);
  return revoked === null && (project?.archived ?? null) === null && nowMs < expiresAt * 1000;
}

function principalOf(key: KeyRecord, project: ProjectRecord | undefined): Principal {
  return {
    keyId: key.id,
    project: key.project,
    ...(key.name !== '' && { keyName: key.name }),
    role: key.role,
    limits: [
      { id: `key:${key.id}`, ...limitsOf(key) },
      // null: the defaults of the limiter apply to keys, not to projects.
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
