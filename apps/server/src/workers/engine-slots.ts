import type { EngineQueueOptions, ResolvedServiceTier } from '@modelwire/server';
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

interface Waiter {
  readonly worker: number;
  readonly id: number;
  readonly tier: ResolvedServiceTier;
  readonly settle: (slots: number) => void;
}

interface Pool {
  readonly engine: string;
  readonly limits: EngineQueueOptions;
  free: number;
  readonly slotsByWorker: Map<number, number>;
  /** In the order of their arrival. */
  waiting: readonly Waiter[];
  /** `reclaiming`: requests wait, and workers may still hold slots that they do not use. `contended`: they hold none. */
  state: 'idle' | 'reclaiming' | 'contended';
  /** Rises when slots are reclaimed, and when workers may keep them again. */
  reclaims: number;
}

const tiers = ['priority', 'default', 'flex'] as const satisfies readonly ResolvedServiceTier[];

export function createEngineSlots(): EngineSlots {
  const holders = new Map<number, SlotHolder>();
  const pools = new Map<string, Pool>();

  function poolOf({ engine, limits }: QueueRequest): Pool {
    let pool = pools.get(engine);
    if (!pool) {
      pool = {
        engine,
        limits,
        free: limits.concurrency,
        slotsByWorker: new Map(),
        waiting: [],
        state: 'idle',
        reclaims: 0,
      };
      pools.set(engine, pool);
    }
    return pool;
  }
  function grant(pool: Pool, worker: number, count: number): number {
    pool.free -= count;
    pool.slotsByWorker.set(worker, (pool.slotsByWorker.get(worker) ?? 0) + count);
    return count;
  }
  function wait(pool: Pool, worker: number, { id, tier }: QueueRequest): Promise<number> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        worker,
        id,
        tier,
        settle(slots) {
          clearTimeout(timer);
          pool.waiting = pool.waiting.filter((other) => other !== waiter);
          resolve(slots);
        },
      };
      const timer = setTimeout(() => {
        waiter.settle(0);
        serve(pool);
      }, pool.limits.waitMs);
      pool.waiting = [...pool.waiting, waiter];
      if (pool.state === 'idle') void reclaim(pool);
    });
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
    for (const { settle } of pool.waiting.slice(pool.limits.maxWaiting)) settle(0);
    serve(pool);
  }
  function serve(pool: Pool): void {
    while (pool.free > 0) {
      const next = firstOf(pool.waiting);
      if (!next) break;
      next.settle(grant(pool, next.worker, 1));
    }
    if (pool.waiting.length > 0 || pool.state === 'idle') return;
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
      for (const pool of pools.values()) {
        pool.free += pool.slotsByWorker.get(worker) ?? 0;
        pool.slotsByWorker.delete(worker);
        for (const waiter of pool.waiting) if (waiter.worker === worker) waiter.settle(0);
        serve(pool);
      }
    },
    enter(worker, request) {
      const pool = poolOf(request);
      if (pool.state === 'idle' && pool.free > 0) {
        // A share in advance, so that most requests start without asking.
        const isFirst = (pool.slotsByWorker.get(worker) ?? 0) === 0;
        return grant(pool, worker, isFirst ? Math.max(1, Math.floor(pool.free / holders.size)) : 1);
      }
      if (pool.state === 'contended' && pool.waiting.length >= pool.limits.maxWaiting) return 0;
      return wait(pool, worker, request);
    },
    leave(worker, { engine, id }) {
      const pool = pools.get(engine);
      if (!pool) return;
      pool.waiting.find((waiter) => waiter.worker === worker && waiter.id === id)?.settle(0);
      serve(pool);
    },
    release(worker, { engine, count }) {
      const pool = pools.get(engine);
      const heldSlots = pool?.slotsByWorker.get(worker);
      // The slots of a worker that has exited are back already.
      if (!pool || heldSlots === undefined) return;
      pool.slotsByWorker.set(worker, heldSlots - count);
      pool.free += count;
      serve(pool);
    },
  };
}

function firstOf(waiting: readonly Waiter[]): Waiter | undefined {
  for (const tier of tiers) {
    const first = waiting.find((waiter) => waiter.tier === tier);
    if (first) return first;
  }
  return undefined;
}
