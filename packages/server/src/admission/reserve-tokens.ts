import type { Principal, RateLimiter } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import { rateLimited, rateLimitHeaders, rateSubjectsOf } from '../limits/rate-limit.ts';
import type { Demand } from './work.ts';

/** A request for more tokens than the limit allows in a minute. Official clients retry a 429, so a header tells them not to. */
function requestTooLarge(limit: number, requested: number, advice: string): RequestError {
  return new RequestError(
    `Request too large for this key on tokens per minute: limit ${limit}, requested ${requested} ${advice}`,
    { status: 429, type: 'tokens', code: 'rate_limit_exceeded', headers: { 'x-should-retry': 'false' } },
  );
}

interface RateLimitedCall {
  readonly principal: Principal;
  readonly responseHeaders: Record<string, string>;
}

/**
 * Reserves tokens from the rate limits of the request and adds the rate limit headers. Resolves to the number of reserved tokens.
 *
 * @throws a 429 when the limits do not have enough tokens left, or never allow as many.
 */
export async function reserveFromRateLimits(
  rateLimiter: RateLimiter | undefined,
  { principal, responseHeaders }: RateLimitedCall,
  { estimate, advice }: Extract<Demand, { readonly kind: 'tokens' }>,
): Promise<number> {
  const subjects = rateSubjectsOf(principal);
  if (!rateLimiter?.limitsTokens(subjects)) return 0;
  const { prompt, requiredOutput, maxOutput, outputToAdmit } = estimate();
  const required = prompt + requiredOutput;
  const demand = { required, max: prompt + maxOutput, minToAdmit: prompt + outputToAdmit };
  const reservation = await rateLimiter.reserve(subjects, demand);
  const { tokens, retryAfterMs, reserved, exceededLimit } = reservation;
  Object.assign(responseHeaders, rateLimitHeaders({ retryAfterMs: 0, ...(tokens && { tokens }) }));
  if (exceededLimit !== undefined) throw requestTooLarge(exceededLimit, required, advice);
  if (retryAfterMs > 0) throw rateLimited(reservation);
  return reserved;
}
