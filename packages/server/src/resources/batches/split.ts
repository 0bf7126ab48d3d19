import type { Clock } from '@modelwire/ports';

/** Own capacity keeps lines that it runs in this part of the remaining window at its present rate. */
const keptShare = 0.5;
/** The part of the last interval in the moving average of the rate. */
const newestShare = 0.3;

/** Decides how many lines own capacity leaves to a provider. */
export interface Split {
  /** A line was run by own capacity. */
  lineEnded(): void;
  /** The number of lines to submit, of `remaining` lines that own capacity has not run. */
  linesToSubmit(remaining: number): number;
}

/**
 * Own capacity costs nothing more, and the batch of a provider half of its price: lines are submitted only if own capacity will not run them before
 * the batch expires. It then keeps those for half of the remaining window, so that a rate which falls somewhat changes nothing.
 */
export function createSplit(expiresAtMs: number, clock: Clock): Split {
  let measuredAt = clock.monotonic();
  let ended = 0;
  /** Lines per millisecond. */
  let rate: number | undefined;
  return {
    lineEnded() {
      ended++;
    },
    linesToSubmit(remaining) {
      const now = clock.monotonic();
      const newest = ended / Math.max(1, now - measuredAt);
      rate = rate === undefined ? newest : rate + newestShare * (newest - rate);
      measuredAt = now;
      ended = 0;
      const inTime = rate * Math.max(0, expiresAtMs - clock.now());
      return remaining <= inTime ? 0 : Math.max(0, Math.ceil(remaining - keptShare * inTime));
    },
  };
}
