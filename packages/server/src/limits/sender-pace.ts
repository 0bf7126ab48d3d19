import { uploadTimeout } from '../errors.ts';

/** How slowly a request body may arrive before its sender gets a 408. */
export interface PaceRules {
  /** Milliseconds that the sender may send nothing. */
  readonly idleMs: number;
  /** Milliseconds that the whole body may take. */
  readonly totalMs: number;
  /** The minimum bytes that must arrive in each period of this length, counting only time in which the server waits for the sender. */
  readonly pace: { readonly bytes: number; readonly ms: number };
}

/**
 * Measures how fast a body arrives. Only time in which the server waits for the sender counts: it is paused while the server processes received
 * bytes. All times are those of `performance.now()`.
 */
export class SenderPace {
  readonly #rules: PaceRules;
  readonly #startedAt: number;
  /** Since when the sender has been waited for; undefined while paused. */
  #waitingSince: number | undefined;
  /** Milliseconds of waiting, up to `#waitingSince`, and bytes received, since the rate was last checked. */
  #waitedMs = 0;
  #bytes = 0;

  constructor(rules: PaceRules, now: number) {
    this.#rules = rules;
    this.#startedAt = now;
    this.#waitingSince = now;
  }

  /** Bytes have arrived: the idle timer starts again when the sender is waited for again. */
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

  /** Whether the body is too slow by now. Starts the next interval of the rate when one has ended. */
  isTooSlow(now: number): boolean {
    const { idleMs, totalMs, pace } = this.#rules;
    const idle = this.#waitingSince === undefined ? 0 : now - this.#waitingSince;
    if (now - this.#startedAt > totalMs || idle > idleMs) return true;
    const waited = this.#waitedMs + idle;
    if (waited < pace.ms) return false;
    if (this.#bytes * pace.ms < pace.bytes * waited) return true;
    this.#waitedMs = -idle;
    this.#bytes = 0;
    return false;
  }
}

/** Milliseconds between two checks of a body with these rules. */
export function checkIntervalMs({ idleMs, pace }: PaceRules): number {
  return Math.max(10, Math.min(1000, idleMs / 4, pace.ms / 4));
}

/** The rules that a server's options set for every body. */
export function paceOf({
  uploadIdleTimeoutMs,
  uploadTimeoutMs,
  minUploadBytesPerMinute,
}: {
  readonly uploadIdleTimeoutMs: number;
  readonly uploadTimeoutMs: number;
  readonly minUploadBytesPerMinute: number;
}): PaceRules {
  return {
    idleMs: uploadIdleTimeoutMs,
    totalMs: uploadTimeoutMs,
    pace: { bytes: minUploadBytesPerMinute, ms: 60_000 },
  };
}

/** A body that is being received. */
export interface WatchedBody {
  receive(bytes: number): void;
  /** Call when the body is complete or no longer read. */
  end(): void;
}

/** Times out request bodies that arrive too slowly. */
export interface BodyWatch {
  /** Calls `fail` with a 408, once, when the body arrives more slowly than the rules allow. */
  watch(fail: (error: Error) => void): WatchedBody;
}

/** Uses one timer for all bodies: a timer for each costs a microsecond per request. */
export function createBodyWatch(rules: PaceRules): BodyWatch {
  return new Watch(rules);
}

class Watch implements BodyWatch {
  readonly #rules: PaceRules;
  readonly #bodies: Body[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(rules: PaceRules) {
    this.#rules = rules;
  }

  watch(fail: (error: Error) => void): WatchedBody {
    const body = new Body(this, new SenderPace(this.#rules, performance.now()), fail, this.#bodies.length);
    this.#bodies.push(body);
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#check(), checkIntervalMs(this.#rules));
      if (typeof this.#timer === 'object') this.#timer.unref();
    }
    return body;
  }

  remove(body: Body): void {
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
    for (const body of this.#bodies.filter(({ pace }) => pace.isTooSlow(now))) {
      this.remove(body);
      body.fail(uploadTimeout());
    }
    if (this.#bodies.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A class, since one is created per request: see docs/decisions/0006. */
class Body implements WatchedBody {
  readonly pace: SenderPace;
  readonly fail: (error: Error) => void;
  /** Its index in the list; -1 after it was removed. */
  index: number;
  readonly #watch: Watch;

  constructor(watch: Watch, pace: SenderPace, fail: (error: Error) => void, index: number) {
    this.pace = pace;
    this.fail = fail;
    this.index = index;
    this.#watch = watch;
  }

  receive(bytes: number): void {
    const now = performance.now();
    this.pace.receive(bytes, now);
    this.pace.resume(now);
  }

  end(): void {
    this.#watch.remove(this);
  }
}
