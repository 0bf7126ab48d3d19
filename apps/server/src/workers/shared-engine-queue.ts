import { releaseOnce } from '@modelwire/adapter-kit/internal';
import type { Release } from '@modelwire/adapter-kit';
import { overloaded } from '@modelwire/ports';
import type { TieredQueue, TieredQueueOptions, ResolvedServiceTier } from '@modelwire/server/internal';
import type { QueueRequest, ReleasedSlots } from './protocol.ts';

/** The slots that the primary distributes. */
export interface SlotSource {
  enterQueue(request: QueueRequest): Promise<number>;
  leaveQueue(request: Pick<QueueRequest, 'engine' | 'id'>): void;
  releaseSlots(slots: ReleasedSlots): void;
}

/** The queue of an engine in one worker, which shares the slots of the engine with other workers: see `EngineSlots`. */
export interface SharedEngineQueue extends TieredQueue {
  /** Gives unused slots back, from now on each slot when its request ends. */
  reclaim(): void;
  /** Keeps unused slots from now on. */
  keep(): void;
}

export function createSharedEngineQueue(
  engine: string,
  limits: TieredQueueOptions,
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
  function tryAcquire(): Release | undefined {
    if (active >= slots) return undefined;
    active++;
    return releaseOnce(() => {
      active--;
      releaseUnused();
    });
  }
  async function wait(tier: ResolvedServiceTier, signal: AbortSignal): Promise<Release> {
    const id = ++lastId;
    const onAbort = (): void => source.leaveQueue({ engine, id });
    signal.addEventListener('abort', onAbort);
    waiting++;
    try {
      const granted = await source.enterQueue({ engine, id, tier, limits });
      slots += granted;
      // A slot that was granted while the request was aborted is unused.
      signal.throwIfAborted();
      const release = tryAcquire();
      if (!release) throw overloaded(1);
      return release;
    } finally {
      waiting--;
      signal.removeEventListener('abort', onAbort);
      releaseUnused();
    }
  }
  return {
    concurrency: limits.concurrency,
    tryAcquire,
    async acquire(tier, signal) {
      signal.throwIfAborted();
      return tryAcquire() ?? wait(tier, signal);
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
