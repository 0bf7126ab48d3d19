import type { Release } from '@modelwire/adapter-kit';
import { createTieredQueue } from '@modelwire/server/internal';
import type { TieredQueue } from '@modelwire/server/internal';
import { withTimeout } from './with-timeout.ts';
import type { QueueRequest, ReleasedSlots } from './protocol.ts';

/** How the slots of a worker are controlled. */
export interface SlotHolder {
  /** Resolves when it has given its unused slots back. From then on it gives each slot back when its request ends. */
  reclaim(engine: string): Promise<void>;
  /** It may keep unused slots from now on. */
  keep(engine: string): void;
}

/**
 * Distributes the slots of engines among workers, so that no more requests are active than an engine has slots, and all of them can be used
 * by any worker.
 *
 * Workers keep slots that they do not use, and start requests in them without asking. When one needs a slot and none is left, all give
 * their unused slots back; until no request waits any more, each slot that becomes free goes to the request that waits first, by tier and
 * then by arrival.
 */
export interface EngineSlots {
  add(worker: number, holder: SlotHolder): void;
  /** The worker has exited. Its slots go to others. */
  remove(worker: number): void;
  /** Resolves with the number of slots that the worker receives; 0 if too many requests wait, or it waited too long. */
  enter(worker: number, request: QueueRequest): number | Promise<number>;
  leave(worker: number, request: Pick<QueueRequest, 'engine' | 'id'>): void;
  release(worker: number, slots: ReleasedSlots): void;
}

interface Pool {
  readonly engine: string;
  readonly maxWaiting: number;
  /** The slots. How many may wait is decided here: while slots are reclaimed, it is unknown how many have to. */
  readonly queue: TieredQueue;
  readonly heldByWorker: Map<number, Release[]>;
  /** In the order of their arrival. */
  readonly waiting: Set<Waiter>;
  /** `reclaiming`: requests wait, and workers may still hold slots that they do not use. `contended`: they hold none. */
  state: 'idle' | 'reclaiming' | 'contended';
  /** Rises when slots are reclaimed, and when workers may keep them again. */
  reclaims: number;
}

interface Waiter {
  readonly worker: number;
  readonly id: number;
  readonly controller: AbortController;
}

export function createEngineSlots(): EngineSlots {
  const holders = new Map<number, SlotHolder>();
  const pools = new Map<string, Pool>();

  function poolOf({ engine, limits }: QueueRequest): Pool {
    const pool: Pool = pools.get(engine) ?? {
      engine,
      maxWaiting: limits.maxWaiting,
      queue: createTieredQueue({ ...limits, maxWaiting: Infinity }),
      heldByWorker: new Map(),
      waiting: new Set(),
      state: 'idle',
      reclaims: 0,
    };
    pools.set(engine, pool);
    return pool;
  }
  function heldBy(pool: Pool, worker: number): Release[] {
    const held = pool.heldByWorker.get(worker) ?? [];
    pool.heldByWorker.set(worker, held);
    return held;
  }
  /** Takes free slots for a worker. Returns how many. */
  function grant(pool: Pool, worker: number): number {
    const held = heldBy(pool, worker);
    const free = pool.queue.concurrency - pool.queue.active;
    // A share in advance, so that most requests start without asking.
    const share = held.length === 0 ? Math.max(1, Math.floor(free / holders.size)) : 1;
    const slots = Array.from({ length: Math.min(share, free) }, () => pool.queue.tryAcquire() ?? []).flat();
    held.push(...slots);
    return slots.length;
  }
  async function wait(pool: Pool, worker: number, { id, tier }: QueueRequest): Promise<number> {
    const waiter: Waiter = { worker, id, controller: new AbortController() };
    pool.waiting.add(waiter);
    if (pool.state === 'idle') void reclaim(pool);
    try {
      const release = await pool.queue.acquire(tier, waiter.controller.signal);
      if (holders.has(worker)) heldBy(pool, worker).push(release);
      // It has exited in the meantime.
      else release();
      return 1;
    } catch {
      return 0;
    } finally {
      pool.waiting.delete(waiter);
      endContention(pool);
    }
  }
  async function reclaim(pool: Pool): Promise<void> {
    pool.state = 'reclaiming';
    const number = ++pool.reclaims;
    // The slots of a worker that has exited return when it is removed; those of an unresponsive worker when it responds again.
    await Promise.all(
      [...holders.values()].map((holder) => withTimeout(holder.reclaim(pool.engine)).catch(() => undefined)),
    );
    if (pool.reclaims !== number) return;
    pool.state = 'contended';
    for (const { controller } of [...pool.waiting].slice(pool.maxWaiting)) controller.abort();
  }
  function endContention(pool: Pool): void {
    if (pool.waiting.size > 0 || pool.state === 'idle') return;
    pool.state = 'idle';
    pool.reclaims++;
    for (const holder of holders.values()) holder.keep(pool.engine);
  }

  return {
    add(worker, holder) {
      holders.set(worker, holder);
      for (const { engine, state } of pools.values())
        if (state !== 'idle') void holder.reclaim(engine).catch(() => undefined);
    },
    remove(worker) {
      holders.delete(worker);
      for (const { heldByWorker, waiting } of pools.values()) {
        for (const waiter of waiting) if (waiter.worker === worker) waiter.controller.abort();
        for (const release of heldByWorker.get(worker) ?? []) release();
        heldByWorker.delete(worker);
      }
    },
    enter(worker, request) {
      const pool = poolOf(request);
      const granted = pool.state === 'idle' ? grant(pool, worker) : 0;
      if (granted > 0) return granted;
      if (pool.state === 'contended' && pool.waiting.size >= pool.maxWaiting) return 0;
      return wait(pool, worker, request);
    },
    leave(worker, { engine, id }) {
      for (const waiter of pools.get(engine)?.waiting ?? [])
        if (waiter.worker === worker && waiter.id === id) waiter.controller.abort();
    },
    release(worker, { engine, count }) {
      // The slots of a worker that has exited are back already.
      const released = pools.get(engine)?.heldByWorker.get(worker)?.splice(0, count) ?? [];
      for (const release of released) release();
    },
  };
}
