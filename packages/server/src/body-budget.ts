import { overloaded } from './errors.ts';

/** Bounds what all bodies that arrive or are worked on hold together, in bytes: many large ones must not exhaust the memory. */
export interface BodyBudget {
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
  /** Gives all of it back; may be called again. */
  release(): void;
}

export function createBodyBudget(max: number): BodyBudget {
  let held = 0;
  function take(length: number, own: number): void {
    // One alone always fits: otherwise it never would.
    if (held > own && held + length > max) throw overloaded(1);
    held += length;
  }
  return {
    take: (length) => take(length, 0),
    release(length) {
      held -= length;
    },
    reserve() {
      let own = 0;
      return {
        add(bytes) {
          take(bytes, own);
          own += bytes;
        },
        release() {
          held -= own;
          own = 0;
        },
      };
    },
  };
}
