import { overloaded } from '../errors.ts';

/** Bounds what all bodies that arrive or are worked on hold together, in bytes: many large ones must not exhaust the memory. */
export interface MemoryLimiter {
  /** @throws a 503 when there is no room; nothing is taken then. */
  take(length: number): void;
  release(length: number): void;
  /** For a body whose size shows only as it arrives. */
  reserve(): BodyReservation;
}

/** What one body holds. */
export interface BodyReservation {
  /** @throws a 503 when there is no room for as many more; they are not added then. */
  add(bytes: number): void;
  /** The same, but tells whether there was room. */
  tryAdd(bytes: number): boolean;
  /** Gives all of it back; may be called again. */
  release(): void;
}

export function createMemoryLimiter(max: number): MemoryLimiter {
  let held = 0;
  function tryTake(length: number, own: number): boolean {
    // One alone always fits: otherwise it never would.
    if (held > own && held + length > max) return false;
    held += length;
    return true;
  }
  return {
    take(length) {
      if (!tryTake(length, 0)) throw overloaded(1);
    },
    release(length) {
      held -= length;
    },
    reserve() {
      let own = 0;
      function tryAdd(bytes: number): boolean {
        const fits = tryTake(bytes, own);
        if (fits) own += bytes;
        return fits;
      }
      return {
        add(bytes) {
          if (!tryAdd(bytes)) throw overloaded(1);
        },
        tryAdd,
        release() {
          held -= own;
          own = 0;
        },
      };
    },
  };
}
