import type { LimitState, RateDecision, RateLimiter, RateSubject } from './ports/rate-limiter.ts';

export interface MemoryRateLimits {
  /** For subjects without a limit of their own. Unlimited unless set. */
  readonly requestsPerMinute?: number | undefined;
  /** Prompt and completion tokens, likewise. Unlimited unless set. */
  readonly tokensPerMinute?: number | undefined;
  /** Milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

/** A bucket that refills evenly over a minute. `level` may go below zero: tokens are charged after they were used. */
interface Bucket {
  level: number;
  at: number;
  limit: number;
}

type Kind = 'requests' | 'tokens';

/**
 * Limits in this process's memory: a token bucket for each subject and kind, holding a minute's worth. For several replicas,
 * each counts for itself. Buckets that are full again are forgotten.
 */
export function memoryRateLimiter({
  requestsPerMinute,
  tokensPerMinute,
  now = Date.now,
}: MemoryRateLimits = {}): RateLimiter {
  checkLimit('requestsPerMinute', requestsPerMinute);
  checkLimit('tokensPerMinute', tokensPerMinute);
  const kept = new Map<string, Bucket>();
  let sweepAt = now() + 60_000;

  function limitOf(subject: RateSubject, kind: Kind): number | undefined {
    const own = kind === 'requests' ? subject.requestsPerMinute : subject.tokensPerMinute;
    if (own !== undefined) return own ?? undefined;
    return kind === 'requests' ? requestsPerMinute : tokensPerMinute;
  }
  function bucket(subject: RateSubject, kind: Kind): Bucket | undefined {
    const limit = limitOf(subject, kind);
    if (limit === undefined) return undefined;
    const at = now();
    if (at >= sweepAt) sweep(at);
    const name = `${kind} ${subject.id}`;
    let found = kept.get(name);
    if (!found) kept.set(name, (found = { level: limit, at, limit }));
    found.level = Math.min(limit, refilled(found, at));
    found.at = at;
    found.limit = limit;
    return found;
  }
  function sweep(at: number): void {
    sweepAt = at + 60_000;
    for (const [name, one] of kept) if (refilled(one, at) >= one.limit) kept.delete(name);
  }
  function bucketsOf(subjects: readonly RateSubject[], kind: Kind): Bucket[] {
    return subjects.map((subject) => bucket(subject, kind)).filter((one) => one !== undefined);
  }

  return {
    take(subjects) {
      const requests = bucketsOf(subjects, 'requests');
      const tokens = bucketsOf(subjects, 'tokens');
      const noRequests = longestWait(requests);
      const noTokens = longestWait(tokens);
      const retryAfterMs = Math.max(noRequests, noTokens);
      if (retryAfterMs === 0) for (const one of requests) one.level -= 1;
      const refusedBy =
        retryAfterMs === 0 ? {} : { refusedBy: noRequests >= noTokens ? ('requests' as const) : ('tokens' as const) };
      return { retryAfterMs, ...refusedBy, ...stateOf('requests', requests), ...stateOf('tokens', tokens) };
    },
    charge(subjects, amount) {
      for (const one of bucketsOf(subjects, 'tokens')) one.level -= amount;
    },
  };
}

function checkLimit(name: string, limit: number | undefined): void {
  if (limit !== undefined && !(limit >= 1)) throw new TypeError(`${name} must be a number of at least 1, not ${limit}`);
}

function refilled({ level, at: last, limit }: Bucket, at: number): number {
  return level + ((at - last) * limit) / 60_000;
}

/** Milliseconds until each bucket holds one whole unit. */
function longestWait(buckets: readonly Bucket[]): number {
  return buckets.reduce((wait, { level, limit }) => Math.max(wait, Math.ceil(((1 - level) * 60_000) / limit)), 0);
}

/** Of several, the one with the least left: it will be the first to refuse. */
function stateOf(kind: Kind, buckets: readonly Bucket[]): Pick<RateDecision, Kind> {
  const states = buckets.map(({ level, limit }): LimitState => ({
    limit,
    remaining: Math.max(0, Math.floor(level)),
    resetMs: Math.max(0, Math.ceil(((limit - level) * 60_000) / limit)),
  }));
  const least = states.sort((a, b) => a.remaining - b.remaining)[0];
  return least ? { [kind]: least } : {};
}
