import type { LimitState, RateLimiter } from './ports/rate-limiter.ts';

export interface MemoryRateLimits {
  /** For each key. Unlimited unless set. */
  readonly requestsPerMinute?: number;
  /** Prompt and completion tokens for each key. Unlimited unless set. */
  readonly tokensPerMinute?: number;
  /** Milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

/** A bucket that refills evenly over a minute. `level` may go below zero: tokens are charged after they were used. */
interface Bucket {
  level: number;
  at: number;
}

/**
 * Limits in this process's memory: a token bucket for each key, holding a minute's worth. For several replicas, each counts
 * for itself. Keys whose buckets are full again are forgotten.
 */
export function memoryRateLimiter({
  requestsPerMinute,
  tokensPerMinute,
  now = Date.now,
}: MemoryRateLimits): RateLimiter {
  const requests = buckets(requestsPerMinute, now);
  const tokens = buckets(tokensPerMinute, now);
  return {
    take(keyId) {
      const noRequests = requests?.waitMs(keyId, 1) ?? 0;
      const noTokens = tokens?.waitMs(keyId, 1) ?? 0;
      const retryAfterMs = Math.max(noRequests, noTokens);
      if (retryAfterMs === 0) requests?.spend(keyId, 1);
      return {
        retryAfterMs,
        ...(retryAfterMs > 0 && { refusedBy: noRequests >= noTokens ? ('requests' as const) : ('tokens' as const) }),
        ...(requests && { requests: requests.state(keyId) }),
        ...(tokens && { tokens: tokens.state(keyId) }),
      };
    },
    charge(keyId, amount) {
      tokens?.spend(keyId, amount);
    },
  };
}

function buckets(limit: number | undefined, now: () => number) {
  if (limit === undefined) return undefined;
  const perMs = limit / 60_000;
  const kept = new Map<string, Bucket>();
  let sweepAt = now() + 60_000;

  function bucket(keyId: string): Bucket {
    const at = now();
    if (at >= sweepAt) sweep(at);
    let found = kept.get(keyId);
    if (!found) kept.set(keyId, (found = { level: limit ?? 0, at }));
    found.level = Math.min(limit ?? 0, found.level + (at - found.at) * perMs);
    found.at = at;
    return found;
  }
  function sweep(at: number): void {
    sweepAt = at + 60_000;
    for (const [keyId, { level, at: last }] of kept)
      if (level + (at - last) * perMs >= (limit ?? 0)) kept.delete(keyId);
  }
  return {
    waitMs: (keyId: string, amount: number): number =>
      Math.max(0, Math.ceil((Math.min(amount, limit) - bucket(keyId).level) / perMs)),
    spend(keyId: string, amount: number): void {
      bucket(keyId).level -= amount;
    },
    state(keyId: string): LimitState {
      const { level } = bucket(keyId);
      return {
        limit,
        remaining: Math.max(0, Math.floor(level)),
        resetMs: Math.max(0, Math.ceil((limit - level) / perMs)),
      };
    },
  };
}
