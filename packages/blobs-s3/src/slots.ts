/** So many things at once; the others wait in the order they came. */
export interface Slots {
  /** Resolves when there is a slot, which is given back by calling what it gives. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function slots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();

  function give(): () => void {
    free--;
    return () => {
      free++;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0 && waiting.size === 0) return give();
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(onSlot);
          signal.removeEventListener('abort', onAbort);
        };
        const onSlot = () => {
          leave();
          resolve(give());
        };
        const onAbort = () => {
          leave();
          reject(signal.reason as Error);
        };
        waiting.add(onSlot);
        signal.addEventListener('abort', onAbort);
      });
    },
  };
}
