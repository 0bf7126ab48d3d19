import { rateDecision, tokenReservation } from '@modelwire/ports';
import type { RateLimiter, RateSubject } from '@modelwire/ports';

export interface MemoryRateLimits {
  /** Default limit of requests for subjects without their own. Default: unlimited. */
  readonly requestsPerMinute?: number | undefined;
  /** Default limit of prompt and completion tokens. Default: unlimited. */
  readonly tokensPerMinute?: number | undefined;
  /** Milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

/** A bucket that refills evenly over a minute. `level` is below zero when a reply took more tokens than were reserved. */
interface Bucket {
  level: number;
  at: number;
  limit: number;
}

type Kind = 'requests' | 'tokens';

const none: readonly Bucket[] = [];
const unlimited = Object.freeze({ retryAfterMs: 0 });

/**
 * Rate limits in the memory of this process: a token bucket for each subject and kind, with the capacity of one minute. Each replica counts
 * separately. Full buckets are removed.
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
  function bucketsOf(subjects: readonly RateSubject[], kind: Kind): readonly Bucket[] {
    if (subjects.every((subject) => limitOf(subject, kind) === undefined)) return none;
    return subjects.map((subject) => bucket(subject, kind)).filter((one) => one !== undefined);
  }

  return {
    consume(subjects) {
      const requests = bucketsOf(subjects, 'requests');
      const tokens = bucketsOf(subjects, 'tokens');
      if (requests === none && tokens === none) return unlimited;
      const decision = rateDecision(requests, tokens);
      if (decision.retryAfterMs === 0) for (const one of requests) one.level -= 1;
      return decision;
    },
    limitsTokens: (subjects) => subjects.some((subject) => limitOf(subject, 'tokens') !== undefined),
    reserve(subjects, demand) {
      const tokens = bucketsOf(subjects, 'tokens');
      const reservation = tokenReservation(tokens, demand);
      for (const one of tokens) one.level -= reservation.reserved;
      return reservation;
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
