import { AsyncLocalStorage } from 'node:async_hooks';
import { setSources } from '@modelwire/server/sources';

/** On whose behalf something is done: a server, and the path of the request, where there is one. */
export interface Origin {
  readonly id: (prefix: string) => string | undefined;
  readonly now: () => number | undefined;
  /** With or without a query; undefined for what a server does by itself. */
  readonly path: string | undefined;
}

const origins = new AsyncLocalStorage<Origin>();

// Each server of this process has its own; whoever is none of ours has chance and the clock.
setSources({ id: (prefix) => origins.getStore()?.id(prefix), now: () => origins.getStore()?.now() });

/** Does something, and all that follows from it, on behalf of a server. */
export function onBehalf<Result>(origin: Origin, run: () => Result): Result {
  return origins.run(origin, run);
}

/** Whether an engine is asked by the server itself: nobody requested this completion, but somebody, once, a batch. */
export function insideBatch(): boolean {
  return origins.getStore()?.path?.includes('/chat/completions') !== true;
}
