/** Lets so many work at once; the others wait for their turn, in order. */
export interface Turns {
  /** @throws the signal's reason when it aborts while waiting. */
  take<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

export function turns(atOnce: number): Turns {
  let working = 0;
  const waiting = new Set<() => void>();

  function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (working < atOnce) {
      working++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(begin);
        reject(signal.reason as Error);
      };
      const begin = (): void => {
        waiting.delete(begin);
        signal.removeEventListener('abort', leave);
        working++;
        resolve();
      };
      waiting.add(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    async take(signal, work) {
      await enter(signal);
      try {
        return await work();
      } finally {
        working--;
        const [next] = waiting;
        next?.();
      }
    },
  };
}
