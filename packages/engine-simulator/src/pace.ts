import { setImmediate } from 'node:timers/promises';

/** A reply computes for this long before other work of the process gets a turn. */
const turnMilliseconds = 5;

/** Gives the event loop a turn when `turnMilliseconds` have passed; undefined while there is no need to wait. */
export function breather(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMilliseconds) return undefined;
    return setImmediate(undefined).then(() => {
      signal.throwIfAborted();
      since = performance.now();
    });
  };
}

/** Waits that many milliseconds, or until the signal aborts: then at once, throwing its reason. Leaves no timer behind. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
  signal.throwIfAborted();
}
