/** Limits how many operations run at once. Waiting operations start in the order in which they arrived. */
export interface Semaphore {
  /**
   * Waits for a permit. Resolves with a function that releases it.
   *
   * @throws the signal's reason when it aborts first.
   */
  acquire(signal?: AbortSignal): Promise<() => void>;
  /** Runs an operation with a permit. @throws the signal's reason when it aborts while waiting. */
  run<Result>(operation: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

export function createSemaphore(permits: number): Semaphore {
  let available = permits;
  const waiting = new Set<() => void>();

  function release(): void {
    available++;
    const [next] = waiting;
    next?.();
  }
  function takePermit(): () => void {
    available--;
    let isReleased = false;
    return () => {
      if (!isReleased) release();
      isReleased = true;
    };
  }

  async function acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (available > 0) return takePermit();
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        waiting.delete(onPermit);
        signal?.removeEventListener('abort', onAbort);
      };
      const onPermit = (): void => {
        stopWaiting();
        resolve(takePermit());
      };
      const onAbort = (): void => {
        stopWaiting();
        reject(signal?.reason as Error);
      };
      waiting.add(onPermit);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    acquire,
    async run(operation, signal) {
      const releasePermit = await acquire(signal);
      try {
        return await operation();
      } finally {
        releasePermit();
      }
    },
  };
}
