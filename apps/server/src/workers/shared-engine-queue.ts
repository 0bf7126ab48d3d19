import { overloaded } from '@modelwire/server';
import type { EngineQueue, EngineQueueOptions, ResolvedServiceTier } from '@modelwire/server';
import type { QueueRequest, ReleasedSlots } from './protocol.ts';

/** The slots that the primary distributes. */
export interface SlotSource {
  enterQueue(request: QueueRequest): Promise<number>;
  leaveQueue(request: Pick<QueueRequest, 'engine' | 'id'>): void;
  releaseSlots(slots: ReleasedSlots): void;
}

/** The queue of an engine in one worker, which shares the slots of the engine with other workers: see `EngineSlots`. */
export interface SharedEngineQueue extends EngineQueue {
  /** Gives unused slots back, from now on each slot when its request ends. */
  reclaim(): void;
  /** Keeps unused slots from now on. */
  keep(): void;
}

export function createSharedEngineQueue(
  engine: string,
  limits: EngineQueueOptions,
  source: SlotSource,
): SharedEngineQueue {
  let slots = 0;
  let active = 0;
  let waiting = 0;
  let isReclaimed = false;
  let lastId = 0;

  function releaseUnused(): void {
    const count = slots - active;
    if (!isReclaimed || count <= 0) return;
    slots = active;
    source.releaseSlots({ engine, count });
  }
  async function wait(tier: ResolvedServiceTier, signal: AbortSignal): Promise<void> {
    const id = ++lastId;
    const onAbort = (): void => source.leaveQueue({ engine, id });
    signal.addEventListener('abort', onAbort);
    waiting++;
    try {
      const granted = await source.enterQueue({ engine, id, tier, limits });
      slots += granted;
      // A slot that was granted while the request was aborted is unused.
      signal.throwIfAborted();
      if (granted === 0) throw overloaded(1);
      active++;
    } finally {
      waiting--;
      signal.removeEventListener('abort', onAbort);
      releaseUnused();
    }
  }
  return {
    concurrency: limits.concurrency,
    acquire(tier, { signal }) {
      if (active < slots) {
        active++;
        return undefined;
      }
      signal.throwIfAborted();
      return wait(tier, signal);
    },
    release() {
      active--;
      releaseUnused();
    },
    reclaim() {
      isReclaimed = true;
      releaseUnused();
    },
    keep() {
      isReclaimed = false;
    },
    get active() {
      return active;
    },
    get waiting() {
      return waiting;
    },
    get isContended() {
      return isReclaimed || waiting > 0;
    },
  };
}
