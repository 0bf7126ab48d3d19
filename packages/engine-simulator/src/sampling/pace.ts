import { setImmediate, setTimeout } from 'node:timers/promises';
import type { EngineContext } from '@modelwire/ports';

/** A reply computes for this long before it yields to the event loop. */
const sliceMs = 5;

/** Called between steps of work: returns a promise if the work should yield to the event loop, else undefined. */
export type Yield = () => Promise<void> | undefined;

/** Yields to the event loop every `sliceMs`, and rejects with the signal's reason once the client has disconnected. */
export function yielder(context: Pick<EngineContext, 'signal'>): Yield {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return setImmediate(undefined).then(() => {
      context.signal.throwIfAborted();
      since = performance.now();
    });
  };
}

/** Resolves after that many milliseconds. Rejects with the signal's reason as soon as it aborts. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
