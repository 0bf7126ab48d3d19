/** The two clocks of a server. */
export interface Clock {
  /** Unix milliseconds, for timestamps that clients see or that are stored. Jumps when the system clock is set. */
  readonly now: () => number;
  /** Milliseconds since a fixed point in the past, for durations. Never jumps. */
  readonly monotonic: () => number;
}
