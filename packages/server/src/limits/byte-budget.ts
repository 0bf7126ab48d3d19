import { createSemaphore } from '@modelwire/adapter-kit';
import { waitForTurn } from '@modelwire/adapter-kit/internal';
import type { Waiters } from '@modelwire/adapter-kit/internal';
import { overloaded } from '../errors.ts';

/** Limits the memory that buffers of requests or responses occupy together, in bytes. */
export interface ByteBudget {
  /** Creates the reservation of one buffer. */
  reserve(): ByteReservation;
  /** Bytes that are reserved. */
  readonly active: number;
  /** Reservations that wait for bytes. */
  readonly waiting: number;
}

/** The memory that is reserved for one buffer. It may be larger than the budget if it is the only one: otherwise it could never be admitted. */
export interface ByteReservation {
  /** Waits until there is enough memory, in the order of arrival, and adds the bytes. @throws the signal's reason when it aborts first. */
  acquire(bytes: number, signal: AbortSignal): Promise<void>;
  /** Adds the bytes. @throws a 503 if there is not enough memory, or others wait for it; then they are not added. */
  acquireNow(bytes: number): void;
  /** As `acquireNow`, but returns whether the bytes were added. */
  tryAcquire(bytes: number): boolean;
  /** Releases so many bytes, or all. The reservation can be reused. */
  release(bytes?: number): void;
}

export function createByteBudget(max: number): ByteBudget {
  let active = 0;
  /** Only the first that waits compares what it needs with what is free. */
  const turn = createSemaphore(1);
  const first: Waiters<void> = new Set();

  function reserve(): ByteReservation {
    let held = 0;
    function take(bytes: number): boolean {
      if (active > held && active + bytes > max) return false;
      active += bytes;
      held += bytes;
      return true;
    }
    const tryAcquire = (bytes: number): boolean => first.size === 0 && take(bytes);
    return {
      acquire: (bytes, signal) =>
        turn.run(async () => {
          while (!take(bytes)) await waitForTurn(first, signal);
        }, signal),
      acquireNow(bytes) {
        if (!tryAcquire(bytes)) throw overloaded(1);
      },
      tryAcquire,
      release(bytes = held) {
        const released = Math.min(bytes, held);
        held -= released;
        active -= released;
        for (const wake of first) wake();
      },
    };
  }
  return {
    reserve,
    get active() {
      return active;
    },
    get waiting() {
      return turn.active + turn.waiting;
    },
  };
}
