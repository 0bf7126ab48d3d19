export { createCircuitBreaker } from '../attempts/circuit-breaker.ts';
export type { CircuitBreaker } from '../attempts/circuit-breaker.ts';
export { attemptOrder, preferredUpstream, recentPeak } from '../routing/attempt-order.ts';
export type { Candidate } from '../routing/attempt-order.ts';
export { compareFirstTokens } from '../routing/first-token-times.ts';
export type { FirstTokenTimes } from '../routing/first-token-times.ts';
export { hashText } from '../routing/rendezvous.ts';
