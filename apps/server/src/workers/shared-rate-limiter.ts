import type { RateDecision, RateLimiter, RateSubject, TokenReservation } from '@modelwire/ports';
import type { TokenCharge, TokensInit } from './protocol.ts';

/** The rate limiter of the primary. */
export interface RateLimitSource {
  consumeRequest(subjects: readonly RateSubject[]): Promise<RateDecision>;
  reserveTokens(init: TokensInit): Promise<TokenReservation>;
  chargeTokens(charge: TokenCharge): void;
}

interface DefaultLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

const unlimited: RateDecision = Object.freeze({ retryAfterMs: 0 });

/** The rate limiter of a worker: limits are counted in the primary, for all workers together. It asks only where there is a limit. */
export function createSharedRateLimiter(
  { requestsPerMinute, tokensPerMinute }: DefaultLimits,
  source: RateLimitSource,
): RateLimiter {
  const isLimited = (limit: number | null | undefined, defaultLimit: number | undefined): boolean =>
    (limit === undefined ? defaultLimit : (limit ?? undefined)) !== undefined;
  const limitsTokens = (subjects: readonly RateSubject[]): boolean =>
    subjects.some((subject) => isLimited(subject.tokensPerMinute, tokensPerMinute));
  const limitsRequests = (subjects: readonly RateSubject[]): boolean =>
    subjects.some((subject) => isLimited(subject.requestsPerMinute, requestsPerMinute));
  return {
    limitsTokens,
    consume: (subjects) =>
      limitsRequests(subjects) || limitsTokens(subjects) ? source.consumeRequest(subjects) : unlimited,
    reserve: (subjects, demand) => source.reserveTokens({ subjects, demand }),
    charge: (subjects, tokens) => source.chargeTokens({ subjects, tokens }),
  };
}
