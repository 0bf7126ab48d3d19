import { overloaded } from '../errors.ts';

/** Bounds what all bodies that arrive or are worked on hold together, in bytes: many large ones must not exhaust the memory. */
export interface MemoryLimiter {
  /** @throws a 503 when there is no room; nothing is taken then. */
  acquire(length: number): void;
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
  return new Limiter(max);
}

class Limiter implements MemoryLimiter {
  readonly #max: number;
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  acquire(length: number): void {
    if (!this.tryTake(length, 0)) throw overloaded(1);
  }

  release(length: number): void {
    this.#held -= length;
  }

  reserve(): BodyReservation {
    return new Reservation(this);
  }

  /** @param own What the same body holds already. */
  tryTake(length: number, own: number): boolean {
    // One alone always fits: otherwise it never would.
    if (this.#held > own && this.#held + length > this.#max) return false;
    this.#held += length;
    return true;
  }
}

/** A class, since one is created per request: see docs/decisions/0006. */
class Reservation implements BodyReservation {
  readonly #limiter: Limiter;
  #held = 0;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  add(bytes: number): void {
    if (!this.tryAdd(bytes)) throw overloaded(1);
  }

  tryAdd(bytes: number): boolean {
    const fits = this.#limiter.tryTake(bytes, this.#held);
    if (fits) this.#held += bytes;
    return fits;
  }

  release(): void {
    this.#limiter.release(this.#held);
    this.#held = 0;
  }
}
