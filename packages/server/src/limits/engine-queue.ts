import type { RequestObservation } from '@modelwire/ports';
import type { ServiceTier } from '@modelwire/schema/types';
import { overloaded } from '../errors.ts';

/** Tiers in the order in which waiting requests are served (interface: `service_tier`). */
const order = ['priority', 'default', 'flex'] as const;
/** A tier other than `auto`. */
export type UsedTier = (typeof order)[number];

interface Waiter {
  readonly start: () => void;
}

/** Bounds how many requests an engine works on at once; the rest wait, first by tier, then in the order they came. */
export interface EngineQueue {
  /**
   * A place at the engine: at once (undefined) or when the promise resolves. Whoever got one gives it back with `leave`.
   * Throws 503 `overloaded` when too many wait already or the wait was too long, and the signal's reason when it aborts.
   */
  acquire(tier: UsedTier, client: { readonly signal: AbortSignal }): undefined | Promise<void>;
  release(): void;
  readonly active: number;
  readonly waiting: number;
  /** Whether requests wait, also those of other processes where they share the queue. */
  readonly isContended: boolean;
  /** The most that are active at once. */
  readonly concurrency: number;
}

export interface EngineQueueOptions {
  readonly concurrency: number;
  /** How many may wait. */
  readonly length: number;
  /** Milliseconds one may wait. */
  readonly waitMs: number;
}

export function createEngineQueue({ concurrency, length, waitMs }: EngineQueueOptions): EngineQueue {
  const lines: Record<UsedTier, Set<Waiter>> = { priority: new Set(), default: new Set(), flex: new Set() };
  let active = 0;
  let waiting = 0;

  function wait(tier: UsedTier, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        lines[tier].delete(waiter);
        waiting--;
        end();
      };
      const onAbort = () => settle(() => reject(signal.reason as Error));
      const timer = setTimeout(() => settle(() => reject(overloaded(1))), waitMs);
      const waiter: Waiter = { start: () => settle(resolve) };
      signal.addEventListener('abort', onAbort);
      lines[tier].add(waiter);
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
      if (waiting >= length) throw overloaded(1);
      const { signal } = client;
      signal.throwIfAborted();
      return wait(tier, signal);
    },
    release() {
      // The place passes to the first who waits, so `active` stays.
      for (const tier of order) {
        const [first] = lines[tier];
        if (first) {
          first.start();
          return;
        }
      }
      active--;
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

/** The tier that serves a request: what was asked, or the server's own for `auto`. */
export function usedTier(asked: ServiceTier, fallback: UsedTier): UsedTier {
  return asked === 'auto' ? fallback : asked;
}

interface WaitingCall {
  readonly client: { readonly signal: AbortSignal };
  readonly logRecord: { queuedMs?: number | undefined };
  readonly observation?: RequestObservation | undefined;
}

/**
 * Waits for a slot at an engine, and records how long that took. Resolves to the milliseconds; undefined if a slot was free.
 *
 * @throws a 503 when too many wait or it took too long, and the reason of a client that disconnected.
 */
export function waitForSlot(
  queue: EngineQueue,
  engine: string,
  tier: UsedTier,
  call: WaitingCall,
): undefined | Promise<number> {
  const turn = queue.acquire(tier, call.client);
  return turn && observedWait(turn, engine, call);
}

async function observedWait(
  turn: Promise<void>,
  engine: string,
  { logRecord, observation }: WaitingCall,
): Promise<number> {
  const startedAt = performance.now();
  const wait = observation?.startQueueWait({ engine });
  let error: unknown;
  try {
    await turn;
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    wait?.end({ error });
    logRecord.queuedMs = (logRecord.queuedMs ?? 0) + Math.round(performance.now() - startedAt);
  }
  return performance.now() - startedAt;
}
