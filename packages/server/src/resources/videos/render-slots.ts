import { createSemaphore } from '@modelwire/adapter-kit';
import type { Release, Semaphore } from '@modelwire/adapter-kit';
import type { VideoEngine } from '@modelwire/ports';

/** Staggers the retries of refused jobs, so that they do not arrive together. */
const staggerMs = 50;

/**
 * Limits how many videos each engine renders at once. Returns a function that acquires a slot for a video: it returns the function that
 * releases the slot, or the number of milliseconds after which to try again.
 */
export function createRenderSlots(pollMs: number): (engine: VideoEngine, id: string) => Release | number {
  const slotsByEngine = new Map<VideoEngine, { readonly semaphore: Semaphore; readonly refused: Set<string> }>();
  return (engine, id) => {
    const slots = slotsByEngine.get(engine) ?? {
      semaphore: createSemaphore(engine.concurrency ?? 1),
      refused: new Set(),
    };
    slotsByEngine.set(engine, slots);
    const release = slots.semaphore.tryAcquire();
    if (!release) {
      slots.refused.add(id);
      return Math.max(pollMs, slots.refused.size * staggerMs);
    }
    // Jobs that wait for the next slot are counted again.
    slots.refused.clear();
    return release;
  };
}
