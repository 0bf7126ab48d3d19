import { setImmediate, setTimeout } from 'node:timers/promises';
import type { EngineContext } from '@modelwire/ports';

/** A reply computes for this long before other work of the process gets a turn. */
const sliceMs = 5;

/** Called between steps of work: a promise to await when other work should get a turn, else undefined. */
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
