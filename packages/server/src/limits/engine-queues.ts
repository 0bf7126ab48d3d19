import type { Release } from '@modelwire/adapter-kit';
import type { RequestObservation } from '@modelwire/ports';
import type { ServiceTier } from '@modelwire/schema/types';
import type { ResolvedServiceTier, TieredQueue } from './tiered-queue.ts';

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

/** The requested service tier, or the default of the server for `auto`. */
export function resolveServiceTier(requested: ServiceTier, fallback: ResolvedServiceTier): ResolvedServiceTier {
  return requested === 'auto' ? fallback : requested;
}

interface QueuedCall {
  readonly client: { readonly signal: AbortSignal };
  readonly logRecord: { queuedMs?: number | undefined };
  readonly observation?: RequestObservation | undefined;
}

/** A slot at an engine, and how long the request waited for it. */
interface EngineSlot {
  readonly release: Release;
  readonly queuedMs: number;
}

/**
 * Waits for a slot at an engine, and records how long that took.
 *
 * @throws a 503 when too many wait or it took too long, and the reason of a client that disconnected.
 */
export async function waitForSlot(
  queue: TieredQueue,
  engine: string,
  tier: ResolvedServiceTier,
  { client, logRecord, observation }: QueuedCall,
): Promise<EngineSlot> {
  client.signal.throwIfAborted();
  const free = queue.tryAcquire();
  if (free) return { release: free, queuedMs: 0 };
  const startedAt = performance.now();
  const wait = observation?.startQueueWait({ engine });
  let error: unknown;
  try {
    const release = await queue.acquire(tier, client.signal);
    return { release, queuedMs: performance.now() - startedAt };
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    wait?.end({ error });
    logRecord.queuedMs = (logRecord.queuedMs ?? 0) + Math.round(performance.now() - startedAt);
  }
}
