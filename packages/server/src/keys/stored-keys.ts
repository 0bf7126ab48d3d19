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
  const known = new Map<string, Remembered>();

  /** The lookup itself is remembered too: a burst with one key asks the store once. */
  function lookUp(hash: string, at: number): Remembered {
    const entry: Remembered = { until: at + trustMs, looking: undefined, found: undefined };
    entry.looking = store.findByHash(hash).then(
      (found) => {
        entry.found = found;
        entry.looking = undefined;
      },
      (error: unknown) => {
        known.delete(hash);
        throw error;
      },
    );
    known.delete(hash);
    known.set(hash, entry);
    if (known.size > remember) known.delete(known.keys().next().value ?? '');
    return entry;
  }
  return {
    authenticate(key) {
      const hash = hashKey(key);
      const at = now();
      const remembered = known.get(hash);
      const entry = remembered && remembered.until > at ? remembered : lookUp(hash, at);
      return entry.looking ? entry.looking.then(() => principalAt(at, entry.found)) : principalAt(at, entry.found);
    },
  };
}

type Found = Awaited<ReturnType<KeyStore['findByHash']>>;

interface Remembered {
  readonly until: number;
  /** While the store is asked. */
  looking: Promise<void> | undefined;
  found: Found;
}

function principalAt(at: number, found: Found): Principal | undefined {
  return found && isValid(found.key, at) ? principalOf(found.key, found.project) : undefined;
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
