import { overloaded } from '../errors.ts';

/** Limits the memory that buffers of requests or responses occupy together, in bytes. */
export interface MemoryLimiter {
  /** @throws a 503 if there is not enough memory; then nothing is reserved. */
  acquire(bytes: number): void;
  release(bytes: number): void;
  /** Creates a reservation for a buffer of unknown size. */
  reserve(): MemoryReservation;
}

/** The memory that is reserved for one buffer. */
export interface MemoryReservation {
  /** @throws a 503 if there is not enough memory for the additional bytes; then they are not added. */
  add(bytes: number): void;
  /** Adds the bytes if there is enough memory, and returns whether there was. */
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

  acquire(bytes: number): void {
    if (!this.tryAcquire(bytes, 0)) throw overloaded(1);
  }

  release(bytes: number): void {
    this.#reserved -= bytes;
  }

  reserve(): MemoryReservation {
    return new Reservation(this);
  }

  /** @param ownBytes Bytes that the same reservation already has. */
  tryAcquire(bytes: number, ownBytes: number): boolean {
    // A single buffer always fits: otherwise it could never be admitted.
    if (this.#reserved > ownBytes && this.#reserved + bytes > this.#max) return false;
    this.#reserved += bytes;
    return true;
  }
}

/** A class, since one is created per request: see docs/decisions/0006. */
class Reservation implements MemoryReservation {
  readonly #limiter: Limiter;
  #reserved = 0;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  add(bytes: number): void {
    if (!this.tryAdd(bytes)) throw overloaded(1);
  }

  tryAdd(bytes: number): boolean {
    const fits = this.#limiter.tryAcquire(bytes, this.#reserved);
    if (fits) this.#reserved += bytes;
    return fits;
  }

  release(): void {
    this.#limiter.release(this.#reserved);
    this.#reserved = 0;
  }
}
