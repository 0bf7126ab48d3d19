import type { RequestObservation } from '@modelwire/ports';
import type { ServiceTier } from '@modelwire/schema/types';
import { overloaded } from '../errors.ts';

/** Tiers in the order in which waiting requests are served (API: `service_tier`). */
const tiers = ['priority', 'default', 'flex'] as const;
/** A service tier other than `auto`. */
export type ResolvedServiceTier = (typeof tiers)[number];

interface Waiter {
  readonly start: () => void;
}

/** Limits how many requests an engine handles at once. The others wait, ordered by tier, then by arrival. */
export interface EngineQueue {
  /**
   * Acquires a slot at the engine: immediately (undefined), or when the promise resolves. Call `release` to return it. @throws a 503
   * `overloaded` when too many requests wait or the wait was too long, and the signal's reason when it aborts.
   */
  acquire(tier: ResolvedServiceTier, client: { readonly signal: AbortSignal }): undefined | Promise<void>;
  release(): void;
  readonly active: number;
  readonly waiting: number;
  /** Whether requests wait, including those of other processes that share the queue. */
  readonly isContended: boolean;
  /** Maximum of `active`. */
  readonly concurrency: number;
}

export interface EngineQueueOptions {
  readonly concurrency: number;
  /** Maximum number of waiting requests. */
  readonly maxWaiting: number;
  /** Milliseconds that a request may wait. */
  readonly waitMs: number;
}

export function createEngineQueue({ concurrency, maxWaiting, waitMs }: EngineQueueOptions): EngineQueue {
  const waiters: Record<ResolvedServiceTier, Set<Waiter>> = {
    priority: new Set(),
    default: new Set(),
    flex: new Set(),
  };
  let active = 0;
  let waiting = 0;

  function wait(tier: ResolvedServiceTier, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        waiters[tier].delete(waiter);
        waiting--;
        end();
      };
      const onAbort = () => settle(() => reject(signal.reason as Error));
      const timer = setTimeout(() => settle(() => reject(overloaded(1))), waitMs);
      const waiter: Waiter = { start: () => settle(resolve) };
      signal.addEventListener('abort', onAbort);
      waiters[tier].add(waiter);
      waiting++;
    });
  }

  return {
    concurrency,
    acquire(tier, client) {
      if (active < concurrency) {
        active++;
        return undefined;
      }
      if (waiting >= maxWaiting) throw overloaded(1);
      const { signal } = client;
      signal.throwIfAborted();
      return wait(tier, signal);
    },
    release() {
      if (waiting === 0) {
        active--;
        return;
      }
      // The slot passes to the first waiting request, so `active` stays the same.
      for (const tier of tiers) {
        const [first] = waiters[tier];
        if (first) {
          first.start();
          return;
        }
      }
    },
    get active() {
      return active;
    },
    get waiting() {
      return waiting;
    },
    get isContended() {
      return waiting > 0;
    },
  };
}

/** The queues of the engines of a server. */
export interface EngineQueues<Engine> {
  get(engine: Engine): EngineQueue;
  /** Each queue with the name of its engine. */
  all(): readonly (readonly [engine: string, queue: EngineQueue])[];
}

export function createEngineQueues<Engine extends { readonly name: string }>(
  queues: ReadonlyMap<Engine, EngineQueue>,
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

/** The requested service tier, or the default of the server for `auto`. */
export function resolveServiceTier(requested: ServiceTier, fallback: ResolvedServiceTier): ResolvedServiceTier {
  return requested === 'auto' ? fallback : requested;
}

interface QueuedCall {
  readonly client: { readonly signal: AbortSignal };
  readonly logRecord: { queuedMs?: number | undefined };
  readonly observation?: RequestObservation | undefined;
}

/**
 * Waits for a slot at an engine, and records how long that took. Resolves to the milliseconds.
 *
 * @throws a 503 when too many wait or it took too long, and the reason of a client that disconnected.
 */
export async function waitForSlot(
  queue: EngineQueue,
  engine: string,
  tier: ResolvedServiceTier,
  { client, logRecord, observation }: QueuedCall,
): Promise<number> {
  const slot = queue.acquire(tier, client);
  if (!slot) return 0;
  const startedAt = performance.now();
  const wait = observation?.startQueueWait({ engine });
  let error: unknown;
  try {
    await slot;
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    wait?.end({ error });
    logRecord.queuedMs = (logRecord.queuedMs ?? 0) + Math.round(performance.now() - startedAt);
  }
  return performance.now() - startedAt;
}
