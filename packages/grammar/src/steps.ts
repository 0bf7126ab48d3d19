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
