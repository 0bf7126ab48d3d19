import type { Clock } from '@modelwire/ports';
import { unrefTimeout } from '../../timers.ts';

/** Tells whether a batch can make its window at the rate of its lines. */
interface Lateness {
  /** Call when a line has ended. */
  lineEnded(): void;
  stop(): void;
}

interface LatenessInit {
  /** Returns the number of lines without a result that wait for own capacity. */
  readonly remaining: () => number;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  readonly clock: Clock;
  /** Called every ten seconds after the first line has ended, with the time at which the last one will, in Unix milliseconds. */
  readonly onEstimate: (expectedAt: number, isLate: boolean) => void;
}

const estimateEveryMs = 10_000;

export function watchLateness({ remaining, expiresAt, clock, onEstimate }: LatenessInit): Lateness {
  const startedAt = clock.monotonic();
  let ended = 0;
  let clearTimer: (() => void) | undefined;

  function schedule(): void {
    clearTimer = unrefTimeout(estimateEveryMs, () => {
      const msPerLine = (clock.monotonic() - startedAt) / ended;
      const expectedAt = clock.now() + remaining() * msPerLine;
      onEstimate(expectedAt, expectedAt > expiresAt);
      schedule();
    });
  }
  return {
    lineEnded() {
      ended++;
      if (ended === 1) schedule();
    },
    stop: () => clearTimer?.(),
  };
}
