/** Computations that wait for a turn of the event loop. One of them continues in each turn. */
const waiting: (() => void)[] = [];

/**
 * Resolves after other pending work has run. For long computations, which would delay other requests. Only one computation continues in each turn of
 * the event loop: ten at once delay others by one step, not by ten.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) schedule(continueNext);
  });
}

function continueNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) schedule(continueNext);
}

function schedule(run: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(run);
  else setTimeout(run, 0);
}

/**
 * Length in bytes or characters from which a text is large: each step of the work on it takes two milliseconds or more, and has a turn of the event
 * loop of its own.
 */
export const largeTextLength = 1024 * 1024;

/**
 * Yields to the event loop after a step of work that is in proportion to a text, such as decoding, serializing, validating or storing it, if the text
 * is large. A single step takes up to 60 ms for 20 MB; several in one turn would delay other requests by all of them.
 */
export function yieldAfterLarge(length: number): Promise<void> | undefined {
  return length < largeTextLength ? undefined : yieldToEventLoop();
}

/** Milliseconds of work after which other requests can run. */
const timeSliceMs = 5;

/**
 * Runs a generator to its end in time slices, yielding to the event loop in between. Stops after `maxWorkMs` of work and then returns
 * `tooLong` instead of a value.
 */
export function runInTimeSlices<Result>(
  steps: Generator<undefined, Result, undefined>,
): Promise<{ readonly value: Result }>;
export function runInTimeSlices<Result>(
  steps: Generator<undefined, Result, undefined>,
  maxWorkMs: number,
): Promise<{ readonly value: Result } | { readonly tooLong: true }>;
export async function runInTimeSlices<Result>(
  steps: Generator<undefined, Result, undefined>,
  maxWorkMs = Infinity,
): Promise<{ readonly value: Result } | { readonly tooLong: true }> {
  let workedMs = 0;
  for (let sliceStart = performance.now(); ;) {
    const step = steps.next();
    if (step.done === true) return { value: step.value };
    const elapsed = performance.now() - sliceStart;
    if (elapsed < timeSliceMs) continue;
    workedMs += elapsed;
    if (workedMs > maxWorkMs) return { tooLong: true };
    await yieldToEventLoop();
    sliceStart = performance.now();
  }
}

/** Runs a generator to its end without yielding to the event loop. */
export function runAtOnce<Result>(steps: Generator<undefined, Result, undefined>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Called between steps of work: a promise if other requests should run first, else undefined. */
export type Pause = () => Promise<void> | undefined;

/** Pauses work after each time slice. The promise rejects with the signal's reason once it has aborted. */
export function createPause(signal?: AbortSignal): Pause {
  let sliceStart = performance.now();
  return () => {
    if (performance.now() - sliceStart < timeSliceMs) return undefined;
    const resumed = yieldToEventLoop().then(() => {
      signal?.throwIfAborted();
      sliceStart = performance.now();
    });
    // Work may end before it waits, and an unhandled rejection would end the process.
    resumed.catch(() => undefined);
    return resumed;
  };
}
