import { RequestError } from '../errors.ts';
import type { Demand } from './work.ts';
import type { ServerContext } from '../context.ts';
import type { LimitState, Principal, RateDecision, RateLimiter, RateSubject } from '@modelwire/ports';

/** The cause of the error of a request that a rate limit of this server refused. */
export class RateLimitReached extends Error {
  override readonly name = 'RateLimitReached';
}

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
    cause: new RateLimitReached(kind),
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)), 'retry-after-ms': String(retryAfterMs) },
  });
}

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

/** Charges tokens to the rate limiter, or returns them if the number is negative. Errors of the limiter are reported and do not fail the request. */
export function chargeTokens({ options }: ServerContext, principal: Principal, tokens: number): void {
  if (tokens === 0) return;
  const reportError = (error: unknown): void => options.report('tokens were not charged', error);
  try {
    options.rateLimiter?.charge(rateSubjectsOf(principal), tokens)?.catch(reportError);
  } catch (error) {
    reportError(error);
  }
}
