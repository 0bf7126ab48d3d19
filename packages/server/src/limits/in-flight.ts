import { shuttingDown } from '../errors.ts';

interface Abortable {
  abort(reason: unknown): void;
}

/** Requests that are not over, so that a server can end them well. */
export interface InFlight {
  count(): number;
  isDraining(): boolean;
  /** Registers one; call what it gives when the request is over. One that outlasts the drain is aborted. */
  enter(one: Abortable): () => void;
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
export function createBag<Item>() {
  const places: { item: Item; index: number }[] = [];
  return {
    size: () => places.length,
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
  const running = createBag<Abortable>();
  let drained: Promise<void> | undefined;
  let empty: (() => void) | undefined;

  async function drain(timeoutMs: number): Promise<void> {
    if (running.size() === 0) return;
    const timers = [
      setTimeout(() => {
        for (const one of running.all()) one.abort(shuttingDown());
      }, timeoutMs),
      setTimeout(() => empty?.(), timeoutMs + lastMs),
    ];
    await new Promise<void>((resolve) => (empty = resolve));
    for (const timer of timers) clearTimeout(timer);
  }
  return {
    count: () => running.size(),
    isDraining: () => drained !== undefined,
    enter(one) {
      const remove = running.add(one);
      return () => {
        remove();
        if (running.size() === 0) empty?.();
      };
    },
    drain: (timeoutMs) => (drained ??= drain(timeoutMs)),
  };
}
