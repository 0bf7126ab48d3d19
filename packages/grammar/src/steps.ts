/**
 * Work in steps: a generator that yields about every millisecond, so that the event loop can run, and returns the result. Call
 * `return()` to abort it.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
