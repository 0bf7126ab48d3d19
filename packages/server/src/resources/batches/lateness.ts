import type { BatchSubmission, Clock } from '@modelwire/ports';
import { unrefTimeout } from '../../timers.ts';

/** Tells whether a batch can make its window at the rate of its lines, here and at upstreams. */
export interface Lateness {
  /** Call when a line has ended here. */
  lineEnded(): void;
  /** Call with the lines of a submission, and how many of them have ended at the upstream. */
  submissionProgressed(submission: BatchSubmission, lines: Progress): void;
  submissionEnded(submission: BatchSubmission): void;
  stop(): void;
}

interface Progress {
  readonly ended: number;
  readonly total: number;
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
  /** Progress of the submissions of which lines have ended, by key. */
  const submissions = new Map<string, Progress & { readonly submittedAt: number }>();
  let clearTimer: (() => void) | undefined;

  function estimate(): void {
    const now = clock.now();
    const leftMs = [ended === 0 ? 0 : (remaining() * (clock.monotonic() - startedAt)) / ended];
    for (const { submittedAt, ...lines } of submissions.values()) {
      leftMs.push(((lines.total - lines.ended) * (now - submittedAt * 1000)) / lines.ended);
    }
    const expectedAt = now + Math.max(...leftMs);
    onEstimate(expectedAt, expectedAt > expiresAt);
  }
  function schedule(): void {
    clearTimer = unrefTimeout(estimateEveryMs, () => {
      estimate();
      schedule();
    });
  }
  const start = (): void => {
    if (!clearTimer) schedule();
  };
  return {
    lineEnded() {
      ended++;
      start();
    },
    submissionProgressed({ key, submittedAt }, lines) {
      if (lines.ended === 0) return;
      submissions.set(key, { ...lines, submittedAt });
      start();
    },
    submissionEnded({ key }) {
      submissions.delete(key);
    },
    stop: () => clearTimer?.(),
  };
}
