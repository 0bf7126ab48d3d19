import { RequestError } from '../errors.ts';
import type { LimitState, Principal, RateDecision, RateSubject } from '@modelwire/ports';

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
