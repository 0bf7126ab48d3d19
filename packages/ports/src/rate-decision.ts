import type { LimitState, RateDecision, TokenDemand, TokenReservation } from './rate-limiter.ts';

/** The level of a limit: `level` of `limit` units, which are refilled within a minute. Negative if more was used than was available. */
export interface RateBucket {
  readonly level: number;
  readonly limit: number;
}

/** Decides whether a request is admitted by all of its limits. Every rate limiter uses it. */
export function rateDecision(requests: readonly RateBucket[], tokens: readonly RateBucket[]): RateDecision {
  const noRequests = longestWait(requests);
  const noTokens = longestWait(tokens);
  const retryAfterMs = Math.max(noRequests, noTokens);
  const refusedBy = noRequests >= noTokens ? ('requests' as const) : ('tokens' as const);
  return {
    retryAfterMs,
    ...(retryAfterMs > 0 && { refusedBy }),
    ...stateOf('requests', requests, retryAfterMs === 0 ? 1 : 0),
    ...stateOf('tokens', tokens, 0),
  };
}

/** Decides how many tokens a request may reserve under all of its limits. Every rate limiter uses it. */
export function tokenReservation(buckets: readonly RateBucket[], demand: TokenDemand): TokenReservation {
  const smallest = Math.min(...buckets.map(({ limit }) => limit));
  if (smallest < demand.required) {
    const state = stateOf('tokens', buckets, 0);
    return { retryAfterMs: 0, refusedBy: 'tokens', reserved: 0, exceededLimit: smallest, ...state };
  }
  const { max, minToAdmit } = reservationBounds(demand, smallest);
  const retryAfterMs = Math.max(0, longestWait(buckets, minToAdmit));
  const available = Math.floor(Math.min(...buckets.map(({ level }) => level)));
  const reserved = retryAfterMs > 0 ? 0 : Math.min(max, Math.max(minToAdmit, available));
  return {
    retryAfterMs,
    ...(retryAfterMs > 0 && { refusedBy: 'tokens' as const }),
    reserved,
    ...stateOf('tokens', buckets, reserved),
  };
}

/** The maximum to reserve and the minimum to admit the request, given the smallest limit. */
export function reservationBounds(
  { max, minToAdmit = max }: TokenDemand,
  smallest: number,
): { readonly max: number; readonly minToAdmit: number } {
  return { max: Math.min(max, smallest), minToAdmit: Math.min(max, minToAdmit, smallest) };
}

/** Milliseconds until each bucket has this many units. */
function longestWait(buckets: readonly RateBucket[], units = 1): number {
  return buckets.reduce((wait, { level, limit }) => Math.max(wait, Math.ceil(((units - level) * 60_000) / limit)), 0);
}

/** The state of the limit with the smallest remainder after `taken` is subtracted: it will be the first to refuse. */
function stateOf(
  kind: 'requests' | 'tokens',
  buckets: readonly RateBucket[],
  taken: number,
): Pick<RateDecision, 'requests' | 'tokens'> {
  const states = buckets.map(({ level, limit }): LimitState => ({
    limit,
    remaining: Math.max(0, Math.floor(level - taken)),
    resetMs: Math.max(0, Math.ceil(((limit - level + taken) * 60_000) / limit)),
  }));
  const least = states.sort((a, b) => a.remaining - b.remaining)[0];
  return least ? { [kind]: least } : {};
}
