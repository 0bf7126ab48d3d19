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

/**
 * A set for what comes and goes at every request. A `Set` would rehash again and again, and each table it leaves behind, once
 * it is old, keeps the next one alive: garbage collection took a third of the time.
 */
function createBag<Item>() {
  const places: { item: Item; index: number }[] = [];
  return {
    get size() {
      return places.length;
    },
    all: () => places.map(({ item }) => item),
    add(item: Item): () => void {
      const place = { item, index: places.length };
      places.push(place);
      return () => {
        const last = places.pop();
        if (!last || last === place) return;
        places[place.index] = last;
        last.index = place.index;
      };
    },
  };
}

export function createInFlight(): InFlight {
  const running = createBag<(reason: unknown) => void>();
  let drained: Promise<void> | undefined;
  let empty: (() => void) | undefined;

  async function drain(timeoutMs: number): Promise<void> {
    if (running.size === 0) return;
    const timers = [
      setTimeout(() => {
        for (const abort of running.all()) abort(shuttingDown());
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
      const remove = running.add(abort);
      return () => {
        remove();
        if (running.size === 0) empty?.();
      };
    },
    drain: (timeoutMs) => (drained ??= drain(timeoutMs)),
  };
}
