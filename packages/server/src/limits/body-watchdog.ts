import { uploadTimeout } from '../errors.ts';
import type { ResolvedScalarOptions } from '../options/resolve-scalar.ts';

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
export function bodyTimeoutsOf(options: ResolvedScalarOptions): BodyTimeouts {
  return {
    idleTimeoutMs: options.uploadIdleTimeoutMs,
    totalTimeoutMs: options.uploadTimeoutMs,
    minRate: { bytes: options.minUploadBytesPerMinute, perMs: 60_000 },
  };
}

/** A body that is being received. */
export interface WatchedBody {
  receive(bytes: number): void;
  /** Call when the body is complete or no longer read. */
  end(): void;
}

/** Times out request bodies that arrive too slowly, with one timer for all of them. */
export class BodyWatchdog {
  readonly #timeouts: BodyTimeouts;
  readonly #bodies = new Set<{ readonly timer: BodyTimer; readonly onTimeout: (error: Error) => void }>();
  #interval: ReturnType<typeof setInterval> | undefined;

  constructor(timeouts: BodyTimeouts) {
    this.#timeouts = timeouts;
  }

  /** Starts the timeouts of a body. Calls `onTimeout` with a 408, once, when one is exceeded. */
  watch(onTimeout: (error: Error) => void): WatchedBody {
    const timer = new BodyTimer(this.#timeouts, performance.now());
    const body = { timer, onTimeout };
    this.#bodies.add(body);
    if (this.#interval === undefined) {
      this.#interval = setInterval(() => this.#check(), checkIntervalMs(this.#timeouts));
      if (typeof this.#interval === 'object') this.#interval.unref();
    }
    return {
      receive(bytes) {
        const now = performance.now();
        timer.receive(bytes, now);
        timer.resume(now);
      },
      end: () => void this.#bodies.delete(body),
    };
  }

  #check(): void {
    const now = performance.now();
    for (const body of this.#bodies) {
      if (!body.timer.hasTimedOut(now)) continue;
      this.#bodies.delete(body);
      body.onTimeout(uploadTimeout());
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#interval);
    this.#interval = undefined;
  }
}
