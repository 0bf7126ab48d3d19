import type { Clock } from '@modelwire/ports';

export interface FakeClock extends Clock {
  /** Lets time pass on both clocks. */
  advance(ms: number): void;
  /** Sets the system clock forward, or back; no time passes. */
  set(ms: number): void;
}

/** The clocks of a server that tests control. */
export function fakeClock(systemMs = 1_700_000_000_000): FakeClock {
  let [now, monotonic] = [systemMs, 5000];
  return {
    now: () => now,
    monotonic: () => monotonic,
    advance(ms) {
      now += ms;
      monotonic += ms;
    },
    set: (ms) => void (now += ms),
  };
}
