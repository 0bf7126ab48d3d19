import { overloaded, shuttingDown, RequestError } from '../errors.ts';
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

export function createInFlight(): InFlight {
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

/** Limits the memory that buffers of requests or responses occupy together, in bytes. */
export interface MemoryLimiter {
  /** @throws a 503 if there is not enough memory; then nothing is reserved. */
  acquire(bytes: number): void;
  release(bytes: number): void;
  /** Creates a reservation for a buffer of unknown size. */
  reserve(): MemoryReservation;
}

/** The memory that is reserved for one buffer. */
export interface MemoryReservation {
  /** @throws a 503 if there is not enough memory for the additional bytes; then they are not added. */
  add(bytes: number): void;
  /** Adds the bytes if there is enough memory, and returns whether there was. */
  tryAdd(bytes: number): boolean;
  /** Releases all of it; the reservation can be reused. */
  release(): void;
}

export function createMemoryLimiter(max: number): MemoryLimiter {
  return new Limiter(max);
}

class Limiter implements MemoryLimiter {
  readonly #max: number;
  #reserved = 0;

  constructor(max: number) {
    this.#max = max;
  }

  acquire(bytes: number): void {
    if (!this.tryAcquire(bytes, 0)) throw overloaded(1);
  }

  release(bytes: number): void {
    this.#reserved -= bytes;
  }

  reserve(): MemoryReservation {
    return new Reservation(this);
  }

  /** @param ownBytes Bytes that the same reservation already has. */
  tryAcquire(bytes: number, ownBytes: number): boolean {
    // A single buffer always fits: otherwise it could never be admitted.
    if (this.#reserved > ownBytes && this.#reserved + bytes > this.#max) return false;
    this.#reserved += bytes;
    return true;
  }
}

/** A class, since one is created per request: see docs/decisions/0006. */
class Reservation implements MemoryReservation {
  readonly #limiter: Limiter;
  #reserved = 0;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  add(bytes: number): void {
    if (!this.tryAdd(bytes)) throw overloaded(1);
  }

  tryAdd(bytes: number): boolean {
    const fits = this.#limiter.tryAcquire(bytes, this.#reserved);
    if (fits) this.#reserved += bytes;
    return fits;
  }

  release(): void {
    this.#limiter.release(this.#reserved);
    this.#reserved = 0;
  }
}

/**
 * The connection of a client, with a signal that aborts when the client disconnects. The signal is created on first use: most requests end
 * before anything uses it.
 *
 * A class, since one is created per request: each object literal with a getter creates a hidden class, which outlives many garbage
 * collections (docs/decisions/0006).
 */
export class ClientConnection {
  #controller: AbortController | undefined;
  #reason: unknown = undefined;

  /** The reason for the abort; undefined if there was none. */
  get reason(): unknown {
    return this.#reason;
  }

  get hasDisconnected(): boolean {
    return this.#reason instanceof RequestError && this.#reason.code === 'client_disconnected';
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Aborts the request: the client disconnected, or the drain timeout expired. Only the first reason counts. */
  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason ?? clientDisconnected();
    this.#controller?.abort(this.#reason);
  }
}

/** Only for the log: no client receives it. 499 is the status that reverse proxies use. */
export function clientDisconnected(): RequestError {
  return new RequestError('The client closed the connection.', {
    status: 499,
    type: 'aborted',
    code: 'client_disconnected',
  });
}
