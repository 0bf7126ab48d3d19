/** Returns what was acquired. Further calls have no effect. */
export type Release = () => void;

/** A release that takes effect once. */
export function releaseOnce(release: () => void): Release {
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    release();
  };
}

/** The waiting callers, in order of arrival. Calling one ends its wait and passes it what it waited for. */
export type Waiters<Value> = Set<(value: Value) => void>;

/** Adds a waiter and resolves when it is called. @throws the signal's reason if it aborts first; the waiter is then removed. */
export function waitForTurn<Value>(waiters: Waiters<Value>, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const leave = (): void => {
      waiters.delete(onTurn);
      signal?.removeEventListener('abort', onAbort);
    };
    const onTurn = (value: Value): void => {
      leave();
      resolve(value);
    };
    const onAbort = (): void => {
      leave();
      reject(signal?.reason as Error);
    };
    waiters.add(onTurn);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
