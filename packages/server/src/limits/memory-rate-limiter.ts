import { maxCount } from '@modelwire/adapter-kit/internal';
import { rateDecision, tokenReservation } from '@modelwire/ports/internal';
import type { Clock, RateLimiter, RateSubject } from '@modelwire/ports';
import { systemClock } from '../clock.ts';

export interface MemoryRateLimits {
  /** Default limit of requests for subjects without their own. Default: unlimited. */
  readonly requestsPerMinute?: number | undefined;
  /** Default limit of prompt and completion tokens. Default: unlimited. */
  readonly tokensPerMinute?: number | undefined;
  /** For tests. Default: the clock of the system. */
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/** A bucket that refills evenly over a minute. `level` is negative when a reply used more tokens than were reserved. */
interface Bucket {
  level: number;
  updatedAt: number;
  limit: number;
}

type LimitKind = 'requests' | 'tokens';

const noBuckets: readonly Bucket[] = [];
const unlimited = Object.freeze({ retryAfterMs: 0 });

/**
 * Rate limits in the memory of this process: a token bucket for each subject and kind, with the capacity of one minute. Each replica counts
 * separately. Full buckets are removed.
 */
export function memoryRateLimiter({
  requestsPerMinute,
  tokensPerMinute,
  clock = systemClock,
}: MemoryRateLimits = {}): RateLimiter {
  checkLimit('requestsPerMinute', requestsPerMinute);
  checkLimit('tokensPerMinute', tokensPerMinute);
  const buckets = new Map<string, Bucket>();
  let nextSweepAt = clock.monotonic() + 60_000;

  function limitOf(subject: RateSubject, kind: LimitKind): number | undefined {
    const ownLimit = kind === 'requests' ? subject.requestsPerMinute : subject.tokensPerMinute;
    if (ownLimit !== undefined) return ownLimit ?? undefined;
    return kind === 'requests' ? requestsPerMinute : tokensPerMinute;
  }
  function refilledBucket(subject: RateSubject, kind: LimitKind): Bucket | undefined {
    const limit = limitOf(subject, kind);
    if (limit === undefined) return undefined;
    const at = clock.monotonic();
    if (at >= nextSweepAt) sweep(at);
    const key = `${kind} ${subject.id}`;
    let bucket = buckets.get(key);
    if (!bucket) buckets.set(key, (bucket = { level: limit, updatedAt: at, limit }));
    bucket.level = Math.min(limit, levelAt(bucket, at));
    bucket.updatedAt = at;
    bucket.limit = limit;
    return bucket;
  }
  function sweep(at: number): void {
    nextSweepAt = at + 60_000;
    for (const [key, bucket] of buckets) if (levelAt(bucket, at) >= bucket.limit) buckets.delete(key);
  }
  function bucketsOf(subjects: readonly RateSubject[], kind: LimitKind): readonly Bucket[] {
    if (subjects.every((subject) => limitOf(subject, kind) === undefined)) return noBuckets;
    return subjects.map((subject) => refilledBucket(subject, kind)).filter((bucket) => bucket !== undefined);
  }

  return {
    consume(subjects) {
      const requests = bucketsOf(subjects, 'requests');
      const tokens = bucketsOf(subjects, 'tokens');
      if (requests === noBuckets && tokens === noBuckets) return unlimited;
      const decision = rateDecision(requests, tokens);
      if (decision.retryAfterMs === 0) for (const bucket of requests) bucket.level -= 1;
      return decision;
    },
    limitsTokens: (subjects) => subjects.some((subject) => limitOf(subject, 'tokens') !== undefined),
    reserve(subjects, demand) {
      const tokens = bucketsOf(subjects, 'tokens');
      const reservation = tokenReservation(tokens, demand);
      for (const bucket of tokens) bucket.level -= reservation.reserved;
      return reservation;
    },
    charge(subjects, amount) {
      for (const bucket of bucketsOf(subjects, 'tokens')) bucket.level = Math.max(bucket.level - amount, -maxCount);
    },
  };
}

function checkLimit(name: string, limit: number | undefined): void {
  if (limit !== undefined && !(limit >= 1)) throw new TypeError(`${name} must be a number of at least 1, not ${limit}`);
}

function levelAt({ level, updatedAt, limit }: Bucket, at: number): number {
  return level + ((at - updatedAt) * limit) / 60_000;
}
