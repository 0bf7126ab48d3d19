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

export function createInFlightRequests(): InFlightRequests {
  const running = new Set<Abortable>();
  let draining: Promise<void> | undefined;
  let onEmpty: (() => void) | undefined;

  async function drain(timeoutMs: number): Promise<void> {
    if (running.size === 0) return;
    const timers = [
      setTimeout(() => {
        for (const request of running) request.abort(shuttingDown());
      }, timeoutMs),
      setTimeout(() => onEmpty?.(), timeoutMs + abortGraceMs),
    ];
    await new Promise<void>((resolve) => (onEmpty = resolve));
    for (const timer of timers) clearTimeout(timer);
  }
  return {
    count: () => running.size,
    isDraining: () => draining !== undefined,
    register(request) {
      running.add(request);
      return () => {
        running.delete(request);
        if (running.size === 0) onEmpty?.();
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
  const active = new Set<ActiveRequest>();
  const ended: ActiveRequest[] = [];
  let endedCount = 0;
  return {
    register(request) {
      active.add(request);
      return () => {
        active.delete(request);
        ended[endedCount++ % maxEnded] = request;
      };
    },
    drainRecent() {
      const first = endedCount % maxEnded;
      const inOrder = endedCount <= maxEnded ? [...ended] : [...ended.slice(first), ...ended.slice(0, first)];
      ended.length = 0;
      endedCount = 0;
      return [...inOrder, ...active].toReversed();
    },
  };
}
