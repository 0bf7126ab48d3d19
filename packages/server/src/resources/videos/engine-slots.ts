import type { VideoEngine } from '@modelwire/ports';

/** Staggers the retries of refused jobs, so that they do not arrive together. */
const staggerMs = 50;

/** Limits how many videos each engine renders at once. */
export interface EngineSlots {
  /** Returns a function that releases the slot, or the number of milliseconds after which to try again. */
  acquire(engine: VideoEngine, id: string): (() => void) | number;
}

export function createEngineSlots(pollMs: number): EngineSlots {
  const slotsByEngine = new Map<VideoEngine, { active: number; readonly refused: Set<string> }>();

  return {
    acquire(engine, id) {
      const slots = slotsByEngine.get(engine) ?? { active: 0, refused: new Set() };
      slotsByEngine.set(engine, slots);
      if (slots.active >= (engine.concurrency ?? 1)) {
        slots.refused.add(id);
        return Math.max(pollMs, slots.refused.size * staggerMs);
      }
      slots.active++;
      // Jobs that wait for the next slot are counted again.
      slots.refused.clear();
      return () => slots.active--;
    },
  };
}
