import type { EventPipeOptions } from '../streaming/event-pipe.ts';

/** A pipe whose reader is never disconnected, without further memory. */
export const pipeOptions: Omit<EventPipeOptions, 'produce'> = {
  cancel: () => undefined,
  signal: () => new AbortController().signal,
  stallMs: 120_000,
  contendedStallMs: 120_000,
  isContended: () => false,
  keepAliveMs: 0,
  memory: { tryAcquire: () => false, release: () => undefined },
};
