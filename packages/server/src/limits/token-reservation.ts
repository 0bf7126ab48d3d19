import type { Principal, RateLimiter, TokenDemand, TokenReservation } from '@modelwire/ports';
import { rateHeaders, rateLimited, requestTooLarge, subjectsOf } from './rate-limit.ts';

interface ReservingCall {
  readonly principal: Principal;
  readonly responseHeaders: Record<string, string>;
}

/**
 * Reserves tokens of the call's limits and adds the rate limit headers. Resolves to the number reserved. `demand` is called only where
 * tokens are limited.
 *
 * @param fix What the client can change about a request that is too large, as a sentence.
 * @throws a 429 when the key has not so many left, or can never have.
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
    if (given.exceededLimit !== undefined) throw requestTooLarge(given, demanded.least, fix);
    if (given.retryAfterMs > 0) throw rateLimited(given);
    return given.reserved;
  };
  return reservation instanceof Promise ? reservation.then(admit) : admit(reservation);
}
