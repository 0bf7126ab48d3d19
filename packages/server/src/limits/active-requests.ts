import { shuttingDown } from '../errors.ts';
import type { RequestLogEntry } from '../request-log.ts';

interface Abortable {
  abort(reason: unknown): void;
}

/** The requests that are running, so that the server can drain them. */
export interface InFlightRequests {
  count(): number;
  isDraining(): boolean;
  /** Registers a request; call the returned function when it has ended. A request that outlasts the drain is aborted. */
  register(request: Abortable): () => void;
  /**
   * Marks the server as draining, and resolves when all requests have ended. After `timeoutMs`, the remaining ones are aborted: a stream then ends with an
   * error frame, a complete reply with a 503. Waits at most one second longer for requests that do not end when they are aborted.
   */
  drain(timeoutMs: number): Promise<void>;
}

const abortGraceMs = 1000;

/**
 * An unordered collection whose items are added and removed with every request. A `Set` rehashes repeatedly, and each of its old tables
 * keeps the next one alive: garbage collection took a third of the time.
 */
function createBag<Item>() {
  const entries: { item: Item; index: number }[] = [];
  return {
    size: () => entries.length,
    all: () => entries.map(({ item }) => item),
    add(item: Item): () => void {
      const entry = { item, index: entries.length };
      entries.push(entry);
      return () => {
        const last = entries.pop();
        if (!last || last === entry) return;
        entries[entry.index] = last;
        last.index = entry.index;
      };
    },
  };
}

export function createInFlightRequests(): InFlightRequests {
  const running = createBag<Abortable>();
  let draining: Promise<void> | undefined;
  let onEmpty: (() => void) | undefined;

  async function drain(timeoutMs: number): Promise<void> {
    if (running.size() === 0) return;
    const timers = [
      setTimeout(() => {
        for (const request of running.all()) request.abort(shuttingDown());
      }, timeoutMs),
      setTimeout(() => onEmpty?.(), timeoutMs + abortGraceMs),
    ];
    await new Promise<void>((resolve) => (onEmpty = resolve));
    for (const timer of timers) clearTimeout(timer);
  }
  return {
    count: () => running.size(),
    isDraining: () => draining !== undefined,
    register(request) {
      const remove = running.add(request);
      return () => {
        remove();
        if (running.size() === 0) onEmpty?.();
      };
    },
    drain: (timeoutMs) => (draining ??= drain(timeoutMs)),
  };
}

/** The fields of a request in warnings about a blocked event loop. */
export type ActiveRequest = Pick<RequestLogEntry, 'requestId' | 'method' | 'route' | 'batch'>;

/** The requests that the server is working on, including batch lines. */
export interface ActiveRequests {
  /** Registers a request; call the returned function when it has ended. */
  register(request: ActiveRequest): () => void;
  /** The requests that were active at any time since the last call, the latest first. */
  drainRecent(): readonly ActiveRequest[];
}

/** Maximum number of ended requests that are kept until the next call; the oldest are dropped first. */
const maxEnded = 32;

export function createActiveRequests(): ActiveRequests {
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
