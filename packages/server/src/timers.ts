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
