/** Resolves after `ms` milliseconds. @throws the signal's reason as soon as it aborts. Leaves no timer behind. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Bounds of an exponential backoff, in milliseconds. */
export interface BackoffInit {
  /** The longest delay after the first attempt. It doubles with each further attempt. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** The shortest delay as a part of the longest. Default 0: full jitter. */
  readonly minPart?: number;
}

/** A random delay after the `attempt`th failed attempt, counted from 1, so that clients do not retry together. */
export function backoffMs(attempt: number, { firstMs, maxMs, minPart = 0 }: BackoffInit): number {
  const longest = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return longest * (minPart + Math.random() * (1 - minPart));
}
