import { setImmediate } from 'node:timers/promises';

/** A reply computes for this long before other work of the process gets a turn. */
const turnMilliseconds = 5;

/** Where the signal is to be had; asked for only when there is a need, because it may be made then. */
export interface Caller {
  readonly signal: AbortSignal;
}

/** Gives the event loop a turn when `turnMilliseconds` have passed; undefined while there is no need to wait. */
export function breather(caller: Caller): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMilliseconds) return undefined;
    return setImmediate(undefined).then(() => {
      caller.signal.throwIfAborted();
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
