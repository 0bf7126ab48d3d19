import { overloaded } from '../errors.ts';

/** Limits the memory of all request bodies in bytes, so that many large ones cannot exhaust it. */
export interface MemoryLimiter {
  /** @throws a 503 if there is not enough memory; then nothing is reserved. */
  acquire(length: number): void;
  release(length: number): void;
  /** Creates a reservation for a body of unknown size. */
  reserve(): BodyReservation;
}

/** The reservation of one body. */
export interface BodyReservation {
  /** @throws a 503 if there is not enough memory for the additional bytes; then they are not added. */
  add(bytes: number): void;
  /** The same, but returns whether there was enough memory. */
  tryAdd(bytes: number): boolean;
  /** Releases all of it; the reservation can be reused. */
  release(): void;
}

export function createMemoryLimiter(max: number): MemoryLimiter {
  return new Limiter(max);
}

class Limiter implements MemoryLimiter {
  readonly #max: number;
  #reserved = 0;

  constructor(max: number) {
    this.#max = max;
  }

  acquire(length: number): void {
    if (!this.tryTake(length, 0)) throw overloaded(1);
  }

  release(length: number): void {
    this.#reserved -= length;
  }

  reserve(): BodyReservation {
    return new Reservation(this);
  }

  /** @param own Bytes that the same body has already reserved. */
  tryTake(length: number, own: number): boolean {
    // A single body always fits: otherwise it could never be admitted.
    if (this.#reserved > own && this.#reserved + length > this.#max) return false;
    this.#reserved += length;
    return true;
  }
}

/** A class, since one is created per request: see docs/decisions/0006. */
class Reservation implements BodyReservation {
  readonly #limiter: Limiter;
  #reserved = 0;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  add(bytes: number): void {
    if (!this.tryAdd(bytes)) throw overloaded(1);
  }

  tryAdd(bytes: number): boolean {
    const fits = this.#limiter.tryTake(bytes, this.#reserved);
    if (fits) this.#reserved += bytes;
    return fits;
  }

  release(): void {
    this.#limiter.release(this.#reserved);
    this.#reserved = 0;
  }
}
