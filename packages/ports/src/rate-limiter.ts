/** State of a limit, for the `x-ratelimit-*` headers. */
export interface LimitState {
  readonly limit: number;
  /** Whole units left, at least 0. */
  readonly remaining: number;
  /** Milliseconds until the limit is completely restored. */
  readonly resetMs: number;
}

/** The decision on a request. `retryAfterMs` is 0 if it is admitted. */
export interface RateDecision {
  readonly retryAfterMs: number;
  /** The limit that refused it. */
  readonly refusedBy?: 'requests' | 'tokens';
  readonly requests?: LimitState;
  readonly tokens?: LimitState;
}

/** A key or a project with its limits. */
export interface RateSubject {
  /** Unique across kinds: `key:…`, `project:…`. */
  readonly id: string;
  /** At least 1; null for unlimited; undefined for the default of the limiter. */
  readonly requestsPerMinute?: number | null | undefined;
  readonly tokensPerMinute?: number | null | undefined;
}

/** The tokens that a request reserves. */
export interface TokenDemand {
  /** Tokens that the request uses in any case. If that is more than the smallest limit, it can never be admitted. */
  readonly required: number;
  readonly max: number;
  /** The request is admitted if at least this many tokens are left; it then reserves what is left. Default `max`. */
  readonly minToAdmit?: number;
}

/** The decision on a reservation. */
export interface TokenReservation extends RateDecision {
  /** `max`, or what is left or the smallest limit if that is less; 0 if the request is refused. */
  readonly reserved: number;
  /** The limit that is smaller than `required`: the request can never be admitted. */
  readonly exceededLimit?: number;
}

/**
 * Limits requests and tokens. A request counts against all of its subjects or, if one refuses it, against none. The tokens of a reply are
 * known only at its end: the maximum is reserved when the request is admitted, and the difference is charged afterwards.
 */
export interface RateLimiter {
  /** Counts one request. The decision is that of the subject with the least left. */
  consume(subjects: readonly RateSubject[]): RateDecision | Promise<RateDecision>;
  /** Whether tokens of any of these subjects are limited: if not, nothing is reserved for them. */
  limitsTokens(subjects: readonly RateSubject[]): boolean;
  /**
   * Reserves `max` tokens of all subjects, or what is left of all if that is at least `minToAdmit`; otherwise none. Both are capped at the
   * smallest limit.
   */
  reserve(subjects: readonly RateSubject[], demand: TokenDemand): TokenReservation | Promise<TokenReservation>;
  /** Charges tokens that were used but not reserved; a negative number returns those that were reserved but not used. */
  charge(subjects: readonly RateSubject[], tokens: number): void | Promise<void>;
}
