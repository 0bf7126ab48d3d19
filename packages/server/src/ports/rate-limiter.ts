/** How one limit stands, for the `x-ratelimit-*` headers. */
export interface LimitState {
  readonly limit: number;
  /** Whole units left, at least 0. */
  readonly remaining: number;
  /** Milliseconds until the limit is whole again. */
  readonly resetMs: number;
}

/** The answer to one request. `retryAfterMs` is 0 for a request that may go on. */
export interface RateDecision {
  readonly retryAfterMs: number;
  /** Which limit refused it. */
  readonly refusedBy?: 'requests' | 'tokens';
  readonly requests?: LimitState;
  readonly tokens?: LimitState;
}

/** Limits requests and tokens of one key. Tokens are known only when the reply is done: they are charged then. */
export interface RateLimiter {
  /** Takes one request. A refused one takes nothing. */
  take(keyId: string): RateDecision | Promise<RateDecision>;
  /** Charges the tokens of a finished request. */
  charge(keyId: string, tokens: number): void | Promise<void>;
}
