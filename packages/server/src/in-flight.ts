import { shuttingDown } from './errors.ts';

/** Requests that are not over, so that a server can end them well. */
export interface InFlight {
  readonly count: number;
  readonly draining: boolean;
  /** Registers one; call what it gives when the request is over. `abort` is for a request that outlasts the drain. */
  enter(abort: (reason: unknown) => void): () => void;
  /**
   * Takes no more requests, and resolves when all are over. After `timeoutMs` those that are left are aborted: a stream then
   * ends with an error frame, a whole reply with a 503.
   */
  drain(timeoutMs: number): Promise<void>;
}

export function createInFlight(): InFlight {
  const running = new Set<(reason: unknown) => void>();
  let draining = false;
  let empty: (() => void) | undefined;
  return {
    get count() {
      return running.size;
    },
    get draining() {
      return draining;
    },
    enter(abort) {
      running.add(abort);
      return () => {
        running.delete(abort);
        if (running.size === 0) empty?.();
      };
    },
    async drain(timeoutMs) {
      draining = true;
      if (running.size === 0) return;
      const timer = setTimeout(() => {
        for (const abort of running) abort(shuttingDown());
      }, timeoutMs);
      await new Promise<void>((resolve) => (empty = resolve));
      clearTimeout(timer);
    },
  };
}
