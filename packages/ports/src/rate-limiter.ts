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

/** Tokens that a request needs at least, and those it is expected to use at most. */
export interface TokenDemand {
  /** A request that needs more than the smallest limit is refused for good. */
  readonly least: number;
  readonly most: number;
  /** Enough to admit the request when fewer than `most` are left: it then reserves what is left. Default `most`. */
  readonly enough?: number;
}

/** The answer to a request for tokens. */
export interface TokenReservation extends RateDecision {
  /** `most`, or what is left or the smallest limit where that is less; 0 when the request is refused. */
  readonly reserved: number;
  /** A limit that is smaller than `least`: the request can never be admitted. */
  readonly exceededLimit?: number;
}

/**
 * Limits requests and tokens. A request counts against all its subjects or, refused by one, against none. How many tokens a reply takes is
 * known only at its end: so many as it may take are reserved when the request is admitted, and the difference is charged afterwards.
 */
export interface RateLimiter {
  /** Counts one request. The decision is that of the subject with the least left. */
  consume(subjects: readonly RateSubject[]): RateDecision | Promise<RateDecision>;
  /** Whether tokens of any of these subjects are limited: if not, nothing is reserved for them. */
  limitsTokens(subjects: readonly RateSubject[]): boolean;
  /**
   * Takes `most` tokens from all subjects, or as many as are left of all, if those are at least `enough`; none otherwise. Neither number counts
   * as more than the smallest limit.
   */
  reserve(subjects: readonly RateSubject[], demand: TokenDemand): TokenReservation | Promise<TokenReservation>;
  /** Charges tokens that were used and not reserved; a negative number gives back those that were reserved and not used. */
  charge(subjects: readonly RateSubject[], tokens: number): void | Promise<void>;
}
