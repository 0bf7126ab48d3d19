import { bodyTooLarge, invalid, uploadTimeout } from '../errors.ts';
import type { ByteReservation } from './byte-budget.ts';

/** Timeouts of a request body. When one is exceeded, the client gets a 408. */
export interface BodyTimeouts {
  /** Milliseconds without a byte from the client. */
  readonly idleTimeoutMs: number;
  /** Milliseconds for the whole body. */
  readonly totalTimeoutMs: number;
  /** The bytes that must arrive in each period of `perMs`, counting only time in which the server waits for the client. */
  readonly minRate: { readonly bytes: number; readonly perMs: number };
}

/**
 * Measures how fast a body arrives. Only time in which the server waits for the client counts: the timer is paused while the server processes
 * received bytes. All times are those of `performance.now()`.
 */
export class BodyTimer {
  readonly #timeouts: BodyTimeouts;
  readonly #startedAt: number;
  /** Since when the server has been waiting for the client; undefined while paused. */
  #waitingSince: number | undefined;
  /** Milliseconds of waiting, up to `#waitingSince`, and bytes received, since the rate was last checked. */
  #waitedMs = 0;
  #bytes = 0;

  constructor(timeouts: BodyTimeouts, now: number) {
    this.#timeouts = timeouts;
    this.#startedAt = now;
    this.#waitingSince = now;
  }

  /** Records received bytes and pauses the timer. The idle time starts again with `resume`. */
  receive(bytes: number, now: number): void {
    this.pause(now);
    this.#bytes += bytes;
  }

  pause(now: number): void {
    if (this.#waitingSince === undefined) return;
    this.#waitedMs += now - this.#waitingSince;
    this.#waitingSince = undefined;
  }

  resume(now: number): void {
    this.#waitingSince ??= now;
  }

  /** Whether a timeout is exceeded. Starts the next period of the minimum rate when one has ended. */
  hasTimedOut(now: number): boolean {
    const { idleTimeoutMs, totalTimeoutMs, minRate } = this.#timeouts;
    const idle = this.#waitingSince === undefined ? 0 : now - this.#waitingSince;
    if (now - this.#startedAt > totalTimeoutMs || idle > idleTimeoutMs) return true;
    const waited = this.#waitedMs + idle;
    if (waited < minRate.perMs) return false;
    if (this.#bytes * minRate.perMs < minRate.bytes * waited) return true;
    this.#waitedMs = -idle;
    this.#bytes = 0;
    return false;
  }
}

/** Milliseconds between two checks of a body with these timeouts. */
export function checkIntervalMs({ idleTimeoutMs, minRate }: BodyTimeouts): number {
  return Math.max(10, Math.min(1000, idleTimeoutMs / 4, minRate.perMs / 4));
}

/** The timeouts of request bodies from the options of a server. */
export function bodyTimeoutsOf({
  uploadIdleTimeoutMs,
  uploadTimeoutMs,
  minUploadBytesPerMinute,
}: {
  readonly uploadIdleTimeoutMs: number;
  readonly uploadTimeoutMs: number;
  readonly minUploadBytesPerMinute: number;
}): BodyTimeouts {
  return {
    idleTimeoutMs: uploadIdleTimeoutMs,
    totalTimeoutMs: uploadTimeoutMs,
    minRate: { bytes: minUploadBytesPerMinute, perMs: 60_000 },
  };
}

/** A body that is being received. */
export interface WatchedBody {
  receive(bytes: number): void;
  /** Call when the body is complete or no longer read. */
  end(): void;
}

/** Times out request bodies that arrive too slowly. */
export interface BodyWatchdog {
  /** Starts the timeouts of a body. Calls `onTimeout` with a 408, once, when one is exceeded. */
  watch(onTimeout: (error: Error) => void): WatchedBody;
}

/** Uses one timer for all bodies: a timer for each costs a microsecond per request. */
export function createBodyWatchdog(timeouts: BodyTimeouts): BodyWatchdog {
  return new Watchdog(timeouts);
}

class Watchdog implements BodyWatchdog {
  readonly #timeouts: BodyTimeouts;
  readonly #bodies: TimedBody[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(timeouts: BodyTimeouts) {
    this.#timeouts = timeouts;
  }

  watch(onTimeout: (error: Error) => void): WatchedBody {
    const body = new TimedBody(this, new BodyTimer(this.#timeouts, performance.now()), onTimeout, this.#bodies.length);
    this.#bodies.push(body);
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#check(), checkIntervalMs(this.#timeouts));
      if (typeof this.#timer === 'object') this.#timer.unref();
    }
    return body;
  }

  remove(body: TimedBody): void {
    const { index } = body;
    if (index === -1) return;
    body.index = -1;
    const last = this.#bodies.pop();
    if (!last || last === body) return;
    this.#bodies[index] = last;
    last.index = index;
  }

  #check(): void {
    const now = performance.now();
    for (const body of this.#bodies.filter(({ timer }) => timer.hasTimedOut(now))) {
      this.remove(body);
      body.onTimeout(uploadTimeout());
    }
    if (this.#bodies.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

class TimedBody implements WatchedBody {
  readonly timer: BodyTimer;
  readonly onTimeout: (error: Error) => void;
  /** Its index in the list; -1 after it was removed. */
  index: number;
  readonly #watchdog: Watchdog;

  constructor(watchdog: Watchdog, timer: BodyTimer, onTimeout: (error: Error) => void, index: number) {
    this.timer = timer;
    this.onTimeout = onTimeout;
    this.index = index;
    this.#watchdog = watchdog;
  }

  receive(bytes: number): void {
    const now = performance.now();
    this.timer.receive(bytes, now);
    this.timer.resume(now);
  }

  end(): void {
    this.#watchdog.remove(this);
  }
}

/** Buffers chunks of bytes as they arrive. */
interface ChunkBuffer {
  /** The bytes so far. */
  readonly length: number;
  /** The number of arrays that contain them: few, even if the chunks are small. */
  readonly blockCount: number;
  add(chunk: Uint8Array): void;
  /** All bytes in one array. A single chunk is returned without a copy. */
  join(): Uint8Array;
}

const minBlockBytes = 1024;
const maxBlockBytes = 64 * 1024;

/**
 * Copies all chunks but the first into blocks whose size grows with the buffer. A chunk of one byte that is kept as its own array takes
 * about 600 bytes of memory, so a body sent in such chunks would take hundreds of times its size.
 */
export function createChunkBuffer(): ChunkBuffer {
  return new Blocks();
}

class Blocks implements ChunkBuffer {
  readonly #blocks: Uint8Array[] = [];
  #length = 0;
  /** Bytes used of the last block. */
  #used = 0;

  get length(): number {
    return this.#length;
  }

  get blockCount(): number {
    return this.#blocks.length;
  }

  add(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return;
    if (this.#length === 0) {
      this.#blocks.push(chunk);
      this.#used = chunk.byteLength;
    } else this.#copy(chunk);
    this.#length += chunk.byteLength;
  }

  join(): Uint8Array {
    const blocks = this.#blocks;
    const [first] = blocks;
    if (first && blocks.length === 1) return first;
    const joined = new Uint8Array(this.#length);
    let offset = 0;
    for (const block of blocks) {
      joined.set(block.subarray(0, this.#length - offset), offset);
      offset += block.byteLength;
    }
    return joined;
  }

  #copy(chunk: Uint8Array): void {
    const blocks = this.#blocks;
    let rest = chunk;
    for (let last = blocks.at(-1); rest.byteLength > 0; last = blocks.at(-1)) {
      if (!last || this.#used === last.byteLength) {
        const size = Math.min(Math.max(this.#length, minBlockBytes), maxBlockBytes);
        blocks.push(new Uint8Array(Math.max(size, rest.byteLength)));
        this.#used = 0;
        continue;
      }
      const copied = rest.subarray(0, last.byteLength - this.#used);
      last.set(copied, this.#used);
      this.#used += copied.byteLength;
      rest = rest.subarray(copied.byteLength);
    }
  }
}

/** Limits for reading a body into memory. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly memory: ByteReservation | undefined;
  readonly watchdog: BodyWatchdog;
}

/** What becomes of a body that is received. */
interface BodyOutcome {
  readonly resolve: (bytes: Uint8Array) => void;
  /** Called once. What arrives afterwards is not kept. */
  readonly reject: (error: Error) => void;
}

/** Receives a body into memory. Its methods are properties, since they are listeners. */
export class BodyReceiver {
  readonly #limits: BodyLimits;
  /** Undefined when it is settled: the request, which lives on, does not hold the bytes. */
  #outcome: BodyOutcome | undefined;
  readonly #watchedBody: WatchedBody;
  #chunks = createChunkBuffer();

  constructor(limits: BodyLimits, outcome: BodyOutcome) {
    this.#limits = limits;
    this.#outcome = outcome;
    this.#watchedBody = limits.watchdog.watch(this.fail);
  }

  /** Returns false if the body is refused. */
  readonly receive = (chunk: Uint8Array): boolean => {
    const { maxBytes, memory } = this.#limits;
    this.#watchedBody.receive(chunk.byteLength);
    try {
      if (this.#chunks.length + chunk.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
      // Reserve memory before keeping the chunk.
      memory?.acquireNow(chunk.byteLength);
      this.#chunks.add(chunk);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  };

  readonly end = (): void => {
    const chunks = this.#chunks;
    this.#settle()?.resolve(chunks.join());
  };

  readonly fail = (thrown: unknown): void => {
    this.#settle()?.reject(thrown instanceof Error ? thrown : new Error('a body could not be read', { cause: thrown }));
  };

  #settle(): BodyOutcome | undefined {
    const outcome = this.#outcome;
    if (outcome) this.#watchedBody.end();
    this.#outcome = undefined;
    this.#chunks = createChunkBuffer();
    return outcome;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes bytes from a client. A byte order mark at the start is skipped.
 *
 * @param what Named in the error, for instance `The request body`.
 * @throws a 400 for bytes that are not UTF-8.
 */
export function decodeText(bytes: Uint8Array, what: string, param: string | null = null): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid(param, `${what} is not valid UTF-8.`, 'invalid_encoding');
  }
}
