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
  let reserved = 0;
  const pool: MemoryPool = {
    tryAcquire(bytes, ownBytes) {
      // A single buffer always fits: otherwise it could never be admitted.
      if (reserved > ownBytes && reserved + bytes > max) return false;
      reserved += bytes;
      return true;
    },
    release: (bytes) => void (reserved -= bytes),
  };
  return {
    acquire(bytes) {
      if (!pool.tryAcquire(bytes, 0)) throw overloaded(1);
    },
    release: pool.release,
    reserve: () => new Reservation(pool),
  };
}

interface MemoryPool {
  /** @param ownBytes Bytes that the same reservation already has. */
  readonly tryAcquire: (bytes: number, ownBytes: number) => boolean;
  readonly release: (bytes: number) => void;
}

class Reservation implements MemoryReservation {
  readonly #pool: MemoryPool;
  #reserved = 0;

  constructor(pool: MemoryPool) {
    this.#pool = pool;
  }

  add(bytes: number): void {
    if (!this.tryAdd(bytes)) throw overloaded(1);
  }

  tryAdd(bytes: number): boolean {
    const fits = this.#pool.tryAcquire(bytes, this.#reserved);
    if (fits) this.#reserved += bytes;
    return fits;
  }

  release(): void {
    this.#pool.release(this.#reserved);
    this.#reserved = 0;
  }
}
