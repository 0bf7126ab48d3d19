import { releaseOnce, waitForTurn } from '@modelwire/adapter-kit/internal';
import type { Release } from '@modelwire/adapter-kit';
import type { Waiters } from '@modelwire/adapter-kit/internal';
import type { ServiceTier } from '@modelwire/schema/types';
import { overloaded } from '../errors.ts';

/** Tiers in the order in which waiting requests are served (API: `service_tier`). */
const tiers = ['priority', 'default', 'flex'] as const;
/** The tier by which a request is served. */
export type ResolvedServiceTier = (typeof tiers)[number];

/** The tier by which a request for a tier is served: `fast` is another name of `priority`, and there is no reserved capacity for `scale`. */
export function resolveServiceTier(requested: ServiceTier, defaultTier: ResolvedServiceTier): ResolvedServiceTier {
  switch (requested) {
    case 'auto':
      return defaultTier;
    case 'fast':
      return 'priority';
    case 'scale':
      return 'default';
    default:
      return requested;
  }
}

/** Limits how many requests run at once. The others wait, ordered by tier, then by arrival; their number and their time are limited. */
export interface TieredQueue {
  /**
   * Waits for a slot. Resolves with the function that releases it. @throws a 503 `overloaded` when too many requests wait or the wait was too
   * long, and the signal's reason when it aborts.
   */
  acquire(tier: ResolvedServiceTier, signal: AbortSignal): Promise<Release>;
  /** Returns the function that releases the slot; undefined if none is free. */
  tryAcquire(): Release | undefined;
  /** Slots that are not released. */
  readonly active: number;
  readonly waiting: number;
  /** Whether requests wait, including those of other processes that share the queue. */
  readonly isContended: boolean;
  /** Maximum of `active`. */
  readonly concurrency: number;
}

export interface TieredQueueOptions {
  readonly concurrency: number;
  /** Maximum number of waiting requests. */
  readonly maxWaiting: number;
  /** Milliseconds that a request may wait. */
  readonly waitMs: number;
}

export function createTieredQueue({ concurrency, maxWaiting, waitMs }: TieredQueueOptions): TieredQueue {
  const waiters: Record<ResolvedServiceTier, Waiters<Release>> = {
    priority: new Set(),
    default: new Set(),
    flex: new Set(),
  };
  let active = 0;
  const countWaiting = (): number => tiers.reduce((sum, tier) => sum + waiters[tier].size, 0);

  function tryAcquire(): Release | undefined {
    if (active >= concurrency) return undefined;
    active++;
    return releaseOnce(() => {
      active--;
      startNext();
    });
  }
  function startNext(): void {
    const tier = tiers.find((one) => waiters[one].size > 0);
    const release = tier && tryAcquire();
    const [start] = tier ? waiters[tier] : [];
    if (release) start?.(release);
  }
  return {
    concurrency,
    tryAcquire,
    async acquire(tier, signal) {
      signal.throwIfAborted();
      const release = tryAcquire();
      if (release) return release;
      if (countWaiting() >= maxWaiting) throw overloaded(1);
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(overloaded(1)), waitMs);
      try {
        return await waitForTurn(waiters[tier], AbortSignal.any([signal, timeout.signal]));
      } finally {
        clearTimeout(timer);
      }
    },
    get active() {
      return active;
    },
    get waiting() {
      return countWaiting();
    },
    get isContended() {
      return countWaiting() > 0;
    },
  };
}

/** The queues of the engines of a server. */
export interface EngineQueues<Engine> {
  get(engine: Engine): TieredQueue;
  /** Each queue with the name of its engine. */
  all(): readonly (readonly [engine: string, queue: TieredQueue])[];
}

export function createEngineQueues<Engine extends { readonly name: string }>(
  queues: ReadonlyMap<Engine, TieredQueue>,
): EngineQueues<Engine> {
  return {
    get(engine) {
      const queue = queues.get(engine);
      if (!queue) throw new Error(`engine '${engine.name}' does not belong to this server`);
      return queue;
    },
    all: () => [...queues].map(([{ name }, queue]) => [name, queue] as const),
  };
}
