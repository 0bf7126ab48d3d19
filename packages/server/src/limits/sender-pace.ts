/** How slowly a request body may arrive before its sender gets a 408. */
export interface PaceRules {
  /** Milliseconds that the sender may send nothing. */
  readonly idleMs: number;
  /** Milliseconds that the whole body may take. */
  readonly totalMs: number;
  /** The bytes that have to arrive in each such number of milliseconds in which the sender was waited for. */
  readonly pace: { readonly bytes: number; readonly ms: number };
}

/**
 * Measures how fast a body arrives. Only time in which the server waits for the sender counts: it is paused while the server is
 * busy with what has arrived. All times are those of `performance.now()`.
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

  /** Whether the body is too slow by now. Starts the next interval of the rate when one is over. */
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
