import type { VideoEngine } from '@modelwire/ports';

/** Who is given back while an engine is full comes back one after the other, not all at once. */
const apartMs = 50;

/** Bounds the videos that each engine works on at once. */
export interface EngineSlots {
  /** What leaves the engine again, or in how many milliseconds to ask again. */
  acquire(engine: VideoEngine, id: string): (() => void) | number;
}

export function createEngineSlots(pollMs: number): EngineSlots {
  const rooms = new Map<VideoEngine, { busy: number; readonly refused: Set<string> }>();

  return {
    acquire(engine, id) {
      const room = rooms.get(engine) ?? { busy: 0, refused: new Set() };
      rooms.set(engine, room);
      if (room.busy >= (engine.concurrency ?? 1)) {
        room.refused.add(id);
        return Math.max(pollMs, room.refused.size * apartMs);
      }
      room.busy++;
      // Waiters for the next slot are counted again.
      room.refused.clear();
      return () => room.busy--;
    },
  };
}
