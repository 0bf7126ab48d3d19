/** Runs a function after a delay, on a timer that does not keep the process alive. Returns a function that clears the timer. */
export function unrefTimeout(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  function schedule(remainingMs: number): void {
    timer =
      remainingMs > maxTimerMs
        ? setTimeout(() => schedule(remainingMs - maxTimerMs), maxTimerMs)
        : setTimeout(run, Math.max(0, remainingMs));
    // Outside Node it is a number, and does not keep a process alive anyway.
    if (typeof timer === 'object') timer.unref();
  }
  schedule(ms);
  return () => clearTimeout(timer);
}

/** The longest delay of a timer, about 25 days: with a longer one it would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as that aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => {
      clearTimer();
      reject(signal.reason as Error);
    };
    const clearTimer = unrefTimeout(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Resolves after other pending work has run. For long computations, which would delay other requests. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** Bytes or characters from which on each step of the work on a text has its own turn of the event loop: a step takes two milliseconds then. */
export const largeTextLength = 1024 * 1024;

/**
 * Yields to the event loop after a step of work that is in proportion to a text, such as decoding, parsing, validating or storing it, if the
 * text is large. A single step takes up to 50 ms for 20 MB; several in one turn would delay other requests by all of them.
 */
export function yieldAfterLarge(length: number): Promise<void> | undefined {
  return length < largeTextLength ? undefined : yieldToEventLoop();
}

/** Milliseconds of work after which other requests can run. */
const timeSliceMs = 8;

/**
 * Runs a generator to its end in time slices, yielding to the event loop in between. Stops after `maxWorkMs` of work and then returns
 * `tooLong` instead of a value.
 */
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

const pollIntervalMs = 1000;

interface PollingInit {
  /** Resolves to whether polling ends. `isStopped` changes while it waits. */
  readonly poll: (isStopped: () => boolean) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/** Polls every second, for the first time after one, until `poll` resolves to true. Returns a function that stops polling. */
export function startPolling({ poll, onError }: PollingInit): () => void {
  let isStopped = false;
  let clearTimer = schedule();
  function schedule(): () => void {
    return unrefTimeout(pollIntervalMs, () => void run());
  }
  async function run(): Promise<void> {
    try {
      isStopped = (await poll(() => isStopped)) || isStopped;
    } catch (error) {
      onError(error);
    }
    if (!isStopped) clearTimer = schedule();
  }
  return () => {
    isStopped = true;
    clearTimer();
  };
}
