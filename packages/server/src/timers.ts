/** Runs something later, on a timer that keeps no program alive. Returns a function that clears the timer. */
export function unrefTimeout(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  function set(left: number): void {
    timer = left > longest ? setTimeout(() => set(left - longest), longest) : setTimeout(run, Math.max(0, left));
    // Outside Node it is a number, and nothing waits for it anyway.
    if (typeof timer === 'object') timer.unref();
  }
  set(ms);
  return () => clearTimeout(timer);
}

/** Timers that are set for longer than this, some 25 days, fire at once. */
const longest = 2 ** 31 - 1;

/** Resolves after so many milliseconds, or rejects with the signal's reason as soon as that aborts. */
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

/** Resolves when what waited meanwhile has had its turn: for long work that would keep live requests waiting. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** Milliseconds of work after which other requests have their turn. */
const turnMs = 8;

/** Runs a generator to its end with turns of the event loop between its steps, for at most `maxWorkMs` of work: then without a value. */
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
