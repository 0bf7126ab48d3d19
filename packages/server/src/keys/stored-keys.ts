import type {
  Authenticator,
  Clock,
  FoundKey,
  KeyRecord,
  KeyStore,
  Principal,
  ProjectRecord,
  RateSubject,
} from '@modelwire/ports';
import { systemClock } from '../clock.ts';
import { createLookupCache } from '../lookup-cache.ts';
import { hashKey } from './make-key.ts';

export interface StoredKeysOptions {
  /** For tests. Default: the clock of the system. */
  readonly clock?: Clock;
}

/**
 * Authenticates the keys of a store. Lookups are cached for two seconds: a change by another process takes effect within this time, a change
 * through `store` at once. Keys are looked up by their hash: timing differences reveal something about the hash of a guess, but nothing about
 * a key. An expired key is refused from the second of its expiry, also while its lookup is cached.
 */
export function storedKeys(store: KeyStore, { clock = systemClock }: StoredKeysOptions = {}): Authenticator {
  const cache = createLookupCache<FoundKey | undefined>(clock);
  store.onChange?.(cache.clear);
  async function authenticateHash(hash: string): Promise<Principal | undefined> {
    const found = await cache.get(hash, () => store.findByHash(hash));
    // The expiry of a key is a timestamp.
    return found && isValid(found, clock.now()) ? principalOf(found.key, found.project) : undefined;
  }
  return { authenticate: (key) => authenticateHash(hashKey(key)), authenticateHash };
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
    limits: [{ id: `key:${key.id}`, ...limitsOf(key) }, projectRateSubject(key.project, project)],
  };
}

/** The limits that all requests in a project share. null: the defaults of the limiter apply to keys, not to projects. */
export function projectRateSubject(id: string, project: ProjectRecord | undefined): RateSubject {
  return {
    id: `project:${id}`,
    requestsPerMinute: project?.requestsPerMinute ?? null,
    tokensPerMinute: project?.tokensPerMinute ?? null,
  };
}

function limitsOf({ requestsPerMinute, tokensPerMinute }: Pick<KeyRecord, 'requestsPerMinute' | 'tokensPerMinute'>) {
  return {
    ...(requestsPerMinute !== null && { requestsPerMinute }),
    ...(tokensPerMinute !== null && { tokensPerMinute }),
  };
}
