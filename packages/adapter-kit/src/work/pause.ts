import { yieldToEventLoop } from './event-loop.ts';

/** Called between steps of work: a promise if other requests should run first, else undefined. */
export type Pause = () => Promise<void> | undefined;

/** Milliseconds of work after which other requests can run. */
const timeSliceMs = 5;

/** Pauses work every five milliseconds. The promise rejects with the signal's reason once it has aborted. */
export function createPause(signal?: AbortSignal): Pause {
  let sliceStart = performance.now();
  return () => {
    if (performance.now() - sliceStart < timeSliceMs) return undefined;
    const resumed = yieldToEventLoop().then(() => {
      signal?.throwIfAborted();
      sliceStart = performance.now();
    });
    // Work may end before it waits, and an unhandled rejection would end the process.
    resumed.catch(() => undefined);
    return resumed;
  };
}
