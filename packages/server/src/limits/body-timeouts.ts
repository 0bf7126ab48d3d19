import { interruptible } from '@modelwire/adapter-kit/internal';
import type { ChunkWatch } from '@modelwire/adapter-kit/internal';
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

/** The timeouts of request bodies from the options of a server. */
export function bodyTimeoutsOf(options: ResolvedScalarOptions): BodyTimeouts {
  return {
    idleTimeoutMs: options.uploadIdleTimeoutMs,
    totalTimeoutMs: options.uploadTimeoutMs,
    minRate: { bytes: options.minUploadBytesPerMinute, perMs: 60_000 },
  };
}

/**
 * Measures how fast a body arrives, and calls `onTimeout` with a 408, once, when a timeout is exceeded. Only time in which the server waits
 * for the client counts, not that in which it processes received bytes.
 */
export function watchBody(
  { idleTimeoutMs, totalTimeoutMs, minRate }: BodyTimeouts,
  onTimeout: (error: Error) => void,
): ChunkWatch {
  const startedAt = performance.now();
  /** Since when the server has been waiting for the client; undefined while it does not. */
  let waitingSince: number | undefined = startedAt;
  /** Milliseconds of waiting, up to `waitingSince`, and bytes received, since the rate was last checked. */
  let waitedMs = 0;
  let receivedBytes = 0;

  function hasTimedOut(now: number): boolean {
    const idleMs = waitingSince === undefined ? 0 : now - waitingSince;
    if (now - startedAt > totalTimeoutMs || idleMs > idleTimeoutMs) return true;
    const periodMs = waitedMs + idleMs;
    if (periodMs < minRate.perMs) return false;
    if (receivedBytes * minRate.perMs < minRate.bytes * periodMs) return true;
    waitedMs = -idleMs;
    receivedBytes = 0;
    return false;
  }
  const end = (): void => clearInterval(interval);
  const check = (): void => {
    if (!hasTimedOut(performance.now())) return;
    end();
    onTimeout(uploadTimeout());
  };
  const interval = setInterval(check, Math.max(10, Math.min(1000, idleTimeoutMs / 4, minRate.perMs / 4)));
  return {
    receive(bytes) {
      if (waitingSince !== undefined) waitedMs += performance.now() - waitingSince;
      waitingSince = undefined;
      receivedBytes += bytes;
    },
    resume: () => void (waitingSince ??= performance.now()),
    end,
  };
}

/**
 * The chunks of a body as they arrive, until `signal` aborts. Aborts with a 408 when a timeout is exceeded; time in which the receiver is not ready
 * for more does not count.
 *
 * @param signal Ends the iteration. Has to abort when `abort` does. Default: `abort.signal`.
 */
export function withBodyTimeouts(
  source: AsyncIterable<Uint8Array>,
  timeouts: BodyTimeouts,
  abort: AbortController,
  signal: AbortSignal = abort.signal,
): AsyncGenerator<Uint8Array, void, undefined> {
  return interruptible(source, signal, () => watchBody(timeouts, (error) => abort.abort(error)));
}
