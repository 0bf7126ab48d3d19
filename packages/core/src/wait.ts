import { AbortError, ApiError, ConnectionError, TimeoutError } from './errors.ts';
import { startTimer } from './transport/exchange.ts';
import type { CallOptions, Timeouts } from './transport/options.ts';
import { isRetryable } from './transport/retry.ts';

/** How to poll until an operation has ended. Times are in milliseconds. */
export interface WaitOptions<T> extends Omit<CallOptions, 'idempotencyKey'> {
  /** The delay before the second request. Each further delay is 1.5 times the one before. Default 1,000. */
  readonly pollMs?: number | undefined;
  /** The longest delay between two requests. Default 30,000. */
  readonly maxPollMs?: number | undefined;
  /** Timeout of the whole wait, pending requests included; then it rejects with a `TimeoutError`. Default none. */
  readonly timeoutMs?: number | undefined;
  /** Consecutive requests that may fail, each after its retries, such as during a restart of the server. Default 10. */
  readonly maxFailures?: number | undefined;
  /** Called with every response, also the last one. */
  readonly onUpdate?: ((value: T) => void) | undefined;
  /** Ends the wait earlier when it returns true. Default: wait for a final status. */
  readonly until?: ((value: T) => boolean) | undefined;
}

/**
 * Polls until `hasEnded` or the caller's `until` returns true. An unknown status does not end the wait. `poll` receives the timeouts
 * of its request, which never exceed those of the wait.
 */
export async function waitFor<T>(
  poll: (timeouts: Timeouts | undefined) => Promise<T>,
  hasEnded: (value: T) => boolean,
  options: WaitOptions<T>,
): Promise<T> {
  const { signal, pollMs = 1000, maxPollMs = 30_000, timeoutMs = 0, maxFailures = 10, onUpdate, until } = options;
  const { timeouts } = options;
  const deadline = timeoutMs > 0 ? performance.now() + timeoutMs : Infinity;
  let delay = Math.max(1, pollMs);
  let cause: unknown;
  for (let failures = 0; ;) {
    let value: T | undefined;
    const total = Math.min(timeouts?.total || Infinity, Math.max(1, deadline - performance.now()));
    try {
      value = await poll(total < Infinity ? { ...timeouts, total } : timeouts);
      failures = 0;
      cause = undefined;
    } catch (error) {
      if (!isTransient(error) || ++failures > maxFailures) throw error;
      cause = error;
    }
    if (value !== undefined) {
      onUpdate?.(value);
      if (hasEnded(value) || until?.(value) === true) return value;
    }
    const remainingMs = deadline - performance.now();
    await sleep(Math.max(0, Math.min(delay, remainingMs)), signal);
    if (remainingMs <= delay) throw new TimeoutError('total', timeoutMs, { cause });
    delay = Math.min(delay * 1.5, Math.max(1, maxPollMs));
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return isRetryable(error);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/** Resolves after `ms` milliseconds, or rejects with an `AbortError` when the signal aborts. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = (): void => undefined;
  try {
    await new Promise<void>((resolve) => {
      stop = resolve;
      if (signal?.aborted === true) resolve();
      signal?.addEventListener('abort', stop);
      timer = startTimer(ms || 1, resolve);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
  if (signal?.aborted === true) throw new AbortError('The caller aborted the wait.', { cause: signal.reason });
}
