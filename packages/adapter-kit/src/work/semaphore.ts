import { releaseOnce, waitForTurn } from './waiters.ts';
import type { Release, Waiters } from './waiters.ts';

/**
 * Limits how many operations run at once, and shares the permits fairly between keys, such as projects. A permit that is released goes to
 * the key with the fewest running operations, among those to the one that has waited longest for a permit, and within a key to the operation
 * of the lowest rank that has waited longest. Without keys and ranks, waiting operations start in the order in which they arrived.
 */
export interface Semaphore {
  /** Waits for a permit. Resolves with the function that releases it. @throws the signal's reason when it aborts first. */
  acquire(signal?: AbortSignal, key?: string, rank?: number): Promise<Release>;
  /** Returns the function that releases the permit; undefined if none is free. */
  tryAcquire(key?: string): Release | undefined;
  /** Runs an operation with a permit. @throws the signal's reason when it aborts while waiting. */
  run<Result>(operation: () => Promise<Result>, signal?: AbortSignal, key?: string): Promise<Result>;
  /** Changes the number of permits. With fewer, running operations go on, and no other starts until enough have ended. */
  setPermits(permits: number): void;
  /** Permits that are not released. */
  readonly active: number;
  readonly waiting: number;
}

/** The operations with the same key. */
interface Share {
  active: number;
  /** Sequence number of the last permit that the key got. */
  lastPermit: number;
  /** By rank. */
  readonly waiters: Map<number, Waiters<Release>>;
}

export function createSemaphore(initialPermits: number): Semaphore {
  let permits = initialPermits;
  /** The keys with running or waiting operations. */
  const shares = new Map<string, Share>();
  let active = 0;
  let lastPermit = 0;

  function shareOf(key: string): Share {
    const share = shares.get(key) ?? { active: 0, lastPermit: 0, waiters: new Map() };
    shares.set(key, share);
    return share;
  }
  function deleteIfIdle(key: string): void {
    const share = shares.get(key);
    if (share?.active === 0 && countWaiters(share) === 0) shares.delete(key);
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
    for (const entry of shares) if (countWaiters(entry[1]) > 0 && isBefore(entry[1], next?.[1])) next = entry;
    const release = next && tryAcquire(next[0]);
    if (next && release) firstOf(next[1])?.(release);
  }
  async function acquire(signal?: AbortSignal, key = '', rank = 0): Promise<Release> {
    signal?.throwIfAborted();
    const release = tryAcquire(key);
    if (release) return release;
    const { waiters } = shareOf(key);
    const ofRank: Waiters<Release> = waiters.get(rank) ?? new Set();
    waiters.set(rank, ofRank);
    try {
      return await waitForTurn(ofRank, signal);
    } finally {
      if (ofRank.size === 0 && waiters.get(rank) === ofRank) waiters.delete(rank);
      deleteIfIdle(key);
    }
  }
  return {
    acquire,
    tryAcquire,
    setPermits(next) {
      permits = next;
      for (let free = permits - active; free > 0; free--) startNext();
    },
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
      return [...shares.values()].reduce((sum, share) => sum + countWaiters(share), 0);
    },
  };
}

function countWaiters({ waiters }: Share): number {
  return [...waiters.values()].reduce((sum, ofRank) => sum + ofRank.size, 0);
}

/** The waiter of the lowest rank that has waited longest. */
function firstOf({ waiters }: Share): ((release: Release) => void) | undefined {
  const ranks = [...waiters.keys()].filter((rank) => waiters.get(rank)?.size);
  const [first] = waiters.get(Math.min(...ranks)) ?? [];
  return first;
}

/** Whether the next permit goes to `share` and not to `other`. */
function isBefore(share: Share, other: Share | undefined): boolean {
  if (!other) return true;
  return share.active === other.active ? share.lastPermit < other.lastPermit : share.active < other.active;
}
