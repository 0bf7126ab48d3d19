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

/** What is limited: a key, or a project. Unset is unlimited. */
export interface RateSubject {
  /** Unique over kinds: `key:…`, `project:…`. */
  readonly id: string;
  /** At least 1; null for unlimited; undefined for what the limiter has for those without a limit of their own. */
  readonly requestsPerMinute?: number | null | undefined;
  readonly tokensPerMinute?: number | null | undefined;
}

/**
 * Limits requests and tokens. A request counts against all its subjects or, refused by one, against none. Tokens are known
 * only when the reply is done: they are charged then, and a subject in debt is refused until it is out.
 */
export interface RateLimiter {
  /** Takes one request. The decision tells of the subject with the least left. */
  take(subjects: readonly RateSubject[]): RateDecision | Promise<RateDecision>;
  /** Charges the tokens of a finished request. */
  charge(subjects: readonly RateSubject[], tokens: number): void | Promise<void>;
}
