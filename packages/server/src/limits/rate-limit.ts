import { RequestError } from '../errors.ts';
import type {
  LimitState,
  Principal,
  RateDecision,
  RateLimiter,
  RateSubject,
  TokenDemand,
  TokenReservation,
} from '@modelwire/ports';

/** The subjects that a request counts against. */
export function rateSubjectsOf({ keyId, limits }: Principal): readonly RateSubject[] {
  return limits ?? [{ id: `key:${keyId}` }];
}

/** The `x-ratelimit-*` headers of every response if limits are set. */
export function rateLimitHeaders({ requests, tokens }: RateDecision): Record<string, string> {
  return { ...limitHeaders('requests', requests), ...limitHeaders('tokens', tokens) };
}

function limitHeaders(kind: 'requests' | 'tokens', state: LimitState | undefined): Record<string, string> {
  if (!state) return {};
  return {
    [`x-ratelimit-limit-${kind}`]: String(state.limit),
    [`x-ratelimit-remaining-${kind}`]: String(state.remaining),
    [`x-ratelimit-reset-${kind}`]: `${(state.resetMs / 1000).toFixed(3)}s`,
  };
}

export function rateLimited({ retryAfterMs, refusedBy }: RateDecision): RequestError {
  const kind = refusedBy ?? 'requests';
  const seconds = (retryAfterMs / 1000).toFixed(3);
  return new RequestError(`Rate limit reached on ${kind} per minute for this key. Please try again in ${seconds}s.`, {
    status: 429,
    type: kind,
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)), 'retry-after-ms': String(retryAfterMs) },
  });
}

/** A request for more tokens than the limit allows in a minute. Official clients retry a 429, so a header tells them not to. */
function requestTooLarge({ exceededLimit = 0 }: TokenReservation, requested: number, hint: string): RequestError {
  return new RequestError(
    `Request too large for this key on tokens per minute: limit ${exceededLimit}, requested ${requested} ${hint}`,
    { status: 429, type: 'tokens', code: 'rate_limit_exceeded', headers: { 'x-should-retry': 'false' } },
  );
}

interface RateLimitedCall {
  readonly principal: Principal;
  readonly responseHeaders: Record<string, string>;
}

/**
 * Reserves tokens from the rate limits of the request and adds the rate limit headers. Returns the number of reserved tokens.
 * `estimateDemand` is called only if tokens are limited.
 *
 * @param hint What the client can change about a request that is too large, as a sentence. @throws a 429 when the limits do not have enough
 * tokens left, or never allow as many.
 */
export function reserveFromRateLimits(
  rateLimiter: RateLimiter | undefined,
  { principal, responseHeaders }: RateLimitedCall,
  estimateDemand: () => TokenDemand,
  hint: string,
): number | Promise<number> {
  const subjects = rateSubjectsOf(principal);
  if (!rateLimiter?.limitsTokens(subjects)) return 0;
  const demand = estimateDemand();
  const result = rateLimiter.reserve(subjects, demand);
  const admit = (reservation: TokenReservation): number => {
    Object.assign(
      responseHeaders,
      rateLimitHeaders({ retryAfterMs: 0, ...(reservation.tokens && { tokens: reservation.tokens }) }),
    );
    if (reservation.exceededLimit !== undefined) throw requestTooLarge(reservation, demand.required, hint);
    if (reservation.retryAfterMs > 0) throw rateLimited(reservation);
    return reservation.reserved;
  };
  return result instanceof Promise ? result.then(admit) : admit(result);
}
