import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BatchRunner } from './batch.ts';
import type { Failure, Outcome, SqlCall } from './protocol.ts';

/** More than the write-ahead log grows by between two checkpoints of a server that only deletes. */
export const reserveBytes = 4 * 1024 * 1024;
/** A reserve that could not be written, though there seemed to be room, is tried again no sooner. */
const retryMs = 250;

/** Space on the disk of the database that is given up when the disk is full, so that rows can still be deleted. */
export interface Reserve {
  /** Whether it was released, and the disk has no room yet to take it again. */
  isReleased(): boolean;
  release(): void;
}

export function openReserve(path: string): Reserve {
  let released = false;
  let failedAt = -Infinity;
  const take = (): boolean => {
    if (performance.now() - failedAt < retryMs) return false;
    try {
      if (sizeOf(path) === reserveBytes) return true;
      const { bavail, bsize } = statfsSync(dirname(path));
      // Not the last of the disk: what is written next would only find it full again.
      if (bavail * bsize < 2 * reserveBytes) return false;
      fill(path);
      return true;
    } catch {
      failedAt = performance.now();
      rmSync(path, { force: true });
      return false;
    }
  };
  take();
  return {
    isReleased() {
      if (released) released = !take();
      return released;
    },
    release() {
      released = true;
      rmSync(path, { force: true });
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** With random bytes: file systems that compress keep no space for zeros. */
function fill(path: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    const bytes = randomFillSync(Buffer.allocUnsafe(reserveBytes));
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

const full: Failure = { type: 'failed', message: 'database or disk is full', code: 'SQLITE_FULL' };

/**
 * Runs batches on a disk that may be full. Units that free space may use the reserve; from then on all others are refused, until there is
 * room for the reserve again: they would take what deleting needs.
 */
export function withReserve(run: BatchRunner, reserve: Reserve): BatchRunner {
  return (batch) => {
    const outcomes: Outcome[] = reserve.isReleased() ? batch.map(() => full) : [...run(batch)];
    const again = batch.flatMap((unit, index) => (freesSpace(unit) && isFull(outcomes[index]) ? [index] : []));
    if (again.length === 0) return outcomes;
    reserve.release();
    const freed = run(again.flatMap((index) => [batch[index] ?? []]));
    for (const [at, index] of again.entries()) outcomes[index] = freed[at] ?? full;
    return outcomes;
  };
}

function freesSpace(unit: readonly SqlCall[]): boolean {
  return unit.some((call) => call.freesSpace === true);
}

function isFull(outcome: Outcome | undefined): boolean {
  return outcome?.type === 'failed' && outcome.code === 'SQLITE_FULL';
}
