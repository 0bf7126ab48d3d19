import { shuttingDown } from './errors.ts';

/** Requests that are not over, so that a server can end them well. */
export interface InFlight {
  readonly count: number;
  readonly draining: boolean;
  /** Registers one; call what it gives when the request is over. `abort` is for a request that outlasts the drain. */
  enter(abort: (reason: unknown) => void): () => void;
  /**
   * Takes no more requests, and resolves when all are over. After `timeoutMs` those that are left are aborted: a stream then
   * ends with an error frame, a whole reply with a 503. What does not end for all that is waited for a second, and no longer.
   */
  drain(timeoutMs: number): Promise<void>;
}

const lastMs = 1000;

export function createInFlight(): InFlight {
  const running = new Set<(reason: unknown) => void>();
  let drained: Promise<void> | undefined;
  let empty: (() => void) | undefined;

  async function drain(timeoutMs: number): Promise<void> {
    if (running.size === 0) return;
    const timers = [
      setTimeout(() => {
        for (const abort of running) abort(shuttingDown());
      }, timeoutMs),
      setTimeout(() => empty?.(), timeoutMs + lastMs),
    ];
    await new Promise<void>((resolve) => (empty = resolve));
    for (const timer of timers) clearTimeout(timer);
  }
  return {
    get count() {
      return running.size;
    },
    get draining() {
      return drained !== undefined;
    },
    enter(abort) {
      running.add(abort);
      return () => {
        running.delete(abort);
        if (running.size === 0) empty?.();
      };
    },
    drain: (timeoutMs) => (drained ??= drain(timeoutMs)),
  };
}
