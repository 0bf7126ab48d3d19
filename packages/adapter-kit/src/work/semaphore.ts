import { releaseOnce, waitForTurn } from './waiters.ts';
import type { Release, Waiters } from './waiters.ts';

/**
 * Limits how many operations run at once, and shares the permits fairly between keys, such as projects. A permit that is released goes to
 * the key with the fewest running operations, among those to the one that has waited longest for a permit, and within a key to the operation
 * that has waited longest. Without keys, waiting operations start in the order in which they arrived.
 */
export interface Semaphore {
  /** Waits for a permit. Resolves with the function that releases it. @throws the signal's reason when it aborts first. */
  acquire(signal?: AbortSignal, key?: string): Promise<Release>;
  /** Returns the function that releases the permit; undefined if none is free. */
  tryAcquire(key?: string): Release | undefined;
  /** Runs an operation with a permit. @throws the signal's reason when it aborts while waiting. */
  run<Result>(operation: () => Promise<Result>, signal?: AbortSignal, key?: string): Promise<Result>;
  /** Permits that are not released. */
  readonly active: number;
  readonly waiting: number;
}

/** The operations with the same key. */
interface Share {
  active: number;
  /** Sequence number of the last permit that the key got. */
  lastPermit: number;
  readonly waiters: Waiters<Release>;
}

export function createSemaphore(permits: number): Semaphore {
  /** The keys with running or waiting operations. */
  const shares = new Map<string, Share>();
  let active = 0;
  let lastPermit = 0;

  function shareOf(key: string): Share {
    const share = shares.get(key) ?? { active: 0, lastPermit: 0, waiters: new Set() };
    shares.set(key, share);
    return share;
  }
  function deleteIfIdle(key: string): void {
    const share = shares.get(key);
    if (share?.active === 0 && share.waiters.size === 0) shares.delete(key);
  }
  function tryAcquire(key = ''): Release | undefined {
    if (active >= permits) return undefined;
    const share = shareOf(key);
    active++;
    share.active++;
    share.lastPermit = ++lastPermit;
    return releaseOnce(() => {
      active--;
      share.active--;
      startNext();
      deleteIfIdle(key);
    });
  }
  function startNext(): void {
    let next: readonly [string, Share] | undefined;
    for (const entry of shares) if (entry[1].waiters.size > 0 && isBefore(entry[1], next?.[1])) next = entry;
    const release = next && tryAcquire(next[0]);
    const [start] = next?.[1].waiters ?? [];
    if (release) start?.(release);
  }
  async function acquire(signal?: AbortSignal, key = ''): Promise<Release> {
    signal?.throwIfAborted();
    const release = tryAcquire(key);
    if (release) return release;
    try {
      return await waitForTurn(shareOf(key).waiters, signal);
    } catch (error) {
      deleteIfIdle(key);
      throw error;
    }
  }
  return {
    acquire,
    tryAcquire,
    async run(operation, signal, key) {
      const release = await acquire(signal, key);
      try {
        return await operation();
      } finally {
        release();
      }
    },
    get active() {
      return active;
    },
    get waiting() {
      return [...shares.values()].reduce((sum, { waiters }) => sum + waiters.size, 0);
    },
  };
}

/** Whether the next permit goes to `share` and not to `other`. */
function isBefore(share: Share, other: Share | undefined): boolean {
  if (!other) return true;
  return share.active === other.active ? share.lastPermit < other.lastPermit : share.active < other.active;
}
