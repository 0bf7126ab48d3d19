import { overloaded } from './errors.ts';

/** Bounds what all bodies that are being worked on hold together: many large ones that wait must not exhaust the memory. */
export interface BodyBudget {
  /** @throws a 503 when there is no room; nothing is taken then. */
  take(length: number): void;
  release(length: number): void;
}

export function createBodyBudget(max: number): BodyBudget {
  let held = 0;
  return {
    take(length) {
      // One alone always fits, or it never would.
      if (held > 0 && held + length > max) throw overloaded(1);
      held += length;
    },
    release(length) {
      held -= length;
    },
  };
}
