/** A semaphore whose waiting callers leave the queue when their signal aborts. */
export function createSlots(count: number) {
  let free = count;
  const waiting = new Set<() => void>();

  async function take<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else await turn(signal);
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else free += 1;
    }
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        leave();
        resolve();
      };
      const onAbort = () => {
        leave();
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const leave = () => {
        waiting.delete(go);
        signal.removeEventListener('abort', onAbort);
      };
      waiting.add(go);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  return { take };
}
