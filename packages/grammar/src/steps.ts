/**
 * Work that is divided into steps: it yields every millisecond or so, where the event loop may have its turn, and returns its result.
 * Who stops driving it calls `return()`.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all of the work at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
