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
export function subjectsOf({ keyId, limits }: Principal): readonly RateSubject[] {
  return limits ?? [{ id: `key:${keyId}` }];
}

/** The `x-ratelimit-*` headers of every response if limits are set. */
export function rateHeaders({ requests, tokens }: RateDecision): Record<string, string> {
  return { ...limitHeaders('requests', requests), ...limitHeaders('tokens', tokens) };
}

function limitHeaders(of: 'requests' | 'tokens', state: LimitState | undefined): Record<string, string> {
  if (!state) return {};
  return {
    [`x-ratelimit-limit-${of}`]: String(state.limit),
    [`x-ratelimit-remaining-${of}`]: String(state.remaining),
    [`x-ratelimit-reset-${of}`]: `${(state.resetMs / 1000).toFixed(3)}s`,
  };
}

export function rateLimited({ retryAfterMs, refusedBy }: RateDecision): RequestError {
  const of = refusedBy ?? 'requests';
  const seconds = (retryAfterMs / 1000).toFixed(3);
  return new RequestError(`Rate limit reached on ${of} per minute for this key. Please try again in ${seconds}s.`, {
    status: 429,
    type: of,
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)), 'retry-after-ms': String(retryAfterMs) },
  });
}

/** A request for more tokens than the limit allows in a minute. Official clients retry a 429, so a header tells them not to. */
function requestTooLarge({ exceededLimit = 0 }: TokenReservation, requested: number, fix: string): RequestError {
  return new RequestError(
    `Request too large for this key on tokens per minute: limit ${exceededLimit}, requested ${requested} ${fix}`,
    { status: 429, type: 'tokens', code: 'rate_limit_exceeded', headers: { 'x-should-retry': 'false' } },
  );
}

interface ReservingCall {
  readonly principal: Principal;
  readonly responseHeaders: Record<string, string>;
}

/**
 * Reserves tokens of the call's limits and adds the rate limit headers. Resolves to the number reserved. `demand` is called only if tokens
 * are limited.
 *
 * @param fix What the client can change about a request that is too large, as a sentence. @throws a 429 when the key does not have enough
 * tokens left, or can never have.
 */
export function reserveFromLimits(
  rateLimiter: RateLimiter | undefined,
  { principal, responseHeaders }: ReservingCall,
  demand: () => TokenDemand,
  fix: string,
): number | Promise<number> {
  const subjects = subjectsOf(principal);
  if (!rateLimiter?.limitsTokens(subjects)) return 0;
  const demanded = demand();
  const reservation = rateLimiter.reserve(subjects, demanded);
  const admit = (given: TokenReservation): number => {
    Object.assign(responseHeaders, rateHeaders({ retryAfterMs: 0, ...(given.tokens && { tokens: given.tokens }) }));
    if (given.exceededLimit !== undefined) throw requestTooLarge(given, demanded.required, fix);
    if (given.retryAfterMs > 0) throw rateLimited(given);
    return given.reserved;
  };
  return reservation instanceof Promise ? reservation.then(admit) : admit(reservation);
}
