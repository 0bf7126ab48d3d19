import { shuttingDown } from '../errors.ts';
import type { RequestLogEntry } from '../request-log.ts';

interface Abortable {
  abort(reason: unknown): void;
}

/** The requests that are running, so that the server can drain them. */
export interface InFlight {
  count(): number;
  isDraining(): boolean;
  /** Registers a request; call the returned function when it has ended. A request that outlasts the drain is aborted. */
  register(request: Abortable): () => void;
  /**
   * Refuses new requests, and resolves when all have ended. After `timeoutMs`, those that are left are aborted: a stream then ends with an
   * error frame, a complete reply with a 503. Waits at most one second longer for requests that do not end when they are aborted.
   */
  drain(timeoutMs: number): Promise<void>;
}

const abortGraceMs = 1000;

/**
 * A set whose items are added and removed with every request. A `Set` rehashes repeatedly, and each of its old tables keeps the next one
 * alive: garbage collection took a third of the time.
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
      setTimeout(() => empty?.(), timeoutMs + abortGraceMs),
    ];
    await new Promise<void>((resolve) => (empty = resolve));
    for (const timer of timers) clearTimeout(timer);
  }
  return {
    count: () => running.size(),
    isDraining: () => drained !== undefined,
    register(one) {
      const remove = running.add(one);
      return () => {
        remove();
        if (running.size() === 0) empty?.();
      };
    },
    drain: (timeoutMs) => (drained ??= drain(timeoutMs)),
  };
}

/** A request, as warnings about a blocked event loop name it. */
export type ActiveRequest = Pick<RequestLogEntry, 'requestId' | 'method' | 'route' | 'batch'>;

/** The requests that the server is working on, lines of batches included. */
export interface Activity {
  /** Registers a request; call the returned function when it has ended. */
  register(request: ActiveRequest): () => void;
  /** The requests that were active at any time since the last call, the latest first. */
  drainRecent(): readonly ActiveRequest[];
}

/** Number of ended requests that are remembered until the next call; the oldest are forgotten first. */
const maxEnded = 32;

export function createActivity(): Activity {
  const active = createBag<ActiveRequest>();
  const ended: ActiveRequest[] = [];
  let endedCount = 0;
  return {
    register(request) {
      const remove = active.add(request);
      return () => {
        remove();
        ended[endedCount++ % maxEnded] = request;
      };
    },
    drainRecent() {
      const first = endedCount % maxEnded;
      const inOrder = endedCount <= maxEnded ? [...ended] : [...ended.slice(first), ...ended.slice(0, first)];
      ended.length = 0;
      endedCount = 0;
      return [...inOrder, ...active.all()].toReversed();
    },
  };
}
