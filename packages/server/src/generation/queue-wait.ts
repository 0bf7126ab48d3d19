import type { Call } from '../call.ts';
import type { EngineQueue, UsedTier } from '../limits/engine-queue.ts';

/**
 * Waits for a slot at an engine, and records how long that took. Resolves to the milliseconds; undefined if a slot was free.
 *
 * @throws a 503 when too many wait or it took too long, and the reason of a client that disconnected.
 */
export function waitForSlot(
  queue: EngineQueue,
  engine: string,
  tier: UsedTier,
  call: Pick<Call, 'caller' | 'entry' | 'observation'>,
): undefined | Promise<number> {
  const turn = queue.acquire(tier, call.caller);
  return turn && observedWait(turn, engine, call);
}

async function observedWait(
  turn: Promise<void>,
  engine: string,
  { entry, observation }: Pick<Call, 'entry' | 'observation'>,
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
    entry.queuedMs = (entry.queuedMs ?? 0) + Math.round(performance.now() - startedAt);
  }
  return performance.now() - startedAt;
}
