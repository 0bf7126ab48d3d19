/**
 * An incremental computation: a generator that yields about every millisecond, so that the caller can return to the event loop, and
 * returns the result. Call `return()` to abort it.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps without a pause and returns the result. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** Runs all steps, waiting where `pause` returns a promise. The remaining steps are abandoned if it rejects. */
export async function runStepsWithPauses<Result>(
  steps: Steps<Result>,
  pause: () => Promise<void> | undefined,
): Promise<Result> {
  try {
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
      const wait = pause();
      if (wait) await wait;
    }
  } finally {
    abandon(steps);
  }
}

/** Ends a generator that may not have finished. Its result is not used. */
function abandon(steps: Generator<undefined, unknown, undefined>): void {
  steps.return(undefined);
}
