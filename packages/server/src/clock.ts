import { testOverrides } from './test-overrides.ts';

/** The two clocks of a process. */
export interface Clock {
  /** Unix milliseconds, for timestamps that clients see or that are stored. Jumps when the system clock is set. */
  readonly now: () => number;
  /** Milliseconds since a fixed point in the past, for durations within this process. Never jumps. */
  readonly monotonicNow: () => number;
}

/** The clocks of the system, unless test overrides replace them. */
export const systemClock: Clock = {
  now: () => testOverrides()?.now() ?? Date.now(),
  monotonicNow: () => testOverrides()?.monotonicNow?.() ?? performance.now(),
};

/** Unix milliseconds, for values that clients see. */
export function now(): number {
  return systemClock.now();
}

export function nowInSeconds(): number {
  return Math.floor(now() / 1000);
}
