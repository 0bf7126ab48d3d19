/** Runs a function after a delay, on a timer that does not keep the process alive. Returns a function that clears the timer. */
export function unrefTimeout(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  function set(left: number): void {
    timer = left > longest ? setTimeout(() => set(left - longest), longest) : setTimeout(run, Math.max(0, left));
    // Outside Node it is a number, and does not keep a process alive anyway.
    if (typeof timer === 'object') timer.unref();
  }
  set(ms);
  return () => clearTimeout(timer);
}

/** Timers with a longer delay, about 25 days, would fire immediately. */
const longest = 2 ** 31 - 1;

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

/** Milliseconds of work after which other requests run. */
const turnMs = 8;

/** Runs a generator to its end, yielding to the event loop between its steps, for at most `maxWorkMs` of work: then it returns no value. */
export async function runInTurns<Result>(
  steps: Generator<undefined, Result, undefined>,
  maxWorkMs = Infinity,
): Promise<{ readonly value: Result } | { readonly tooLong: true }> {
  let worked = 0;
  for (let since = performance.now(); ;) {
    const step = steps.next();
    if (step.done === true) return { value: step.value };
    const elapsed = performance.now() - since;
    if (elapsed < turnMs) continue;
    worked += elapsed;
    if (worked > maxWorkMs) return { tooLong: true };
    await yieldToEventLoop();
    since = performance.now();
  }
}
