import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BatchRunner } from '../threads/batch.ts';
import type { Failure, Outcome, SqlCall } from '../threads/protocol.ts';

/** More than the growth of the write-ahead log between two checkpoints of a server that only deletes. */
export const reserveBytes = 4 * 1024 * 1024;
/** Delay after a failed attempt to write the reserve although there seemed to be space. */
const retryMs = 250;

/** Disk space beside the database that is released when the disk is full, so that rows can still be deleted. */
export interface Reserve {
  /** Whether it was released and the disk has no space yet to restore it. */
  isReleased(): boolean;
  release(): void;
}

export function openReserve(path: string): Reserve {
  let released = false;
  let failedAt = -Infinity;
  const restore = (): boolean => {
    if (performance.now() - failedAt < retryMs) return false;
    try {
      if (sizeOf(path) === reserveBytes) return true;
      const { bavail, bsize } = statfsSync(dirname(path));
      // Leaves some space: otherwise the next write would find the disk full again.
      if (bavail * bsize < 2 * reserveBytes) return false;
      writeRandomBytes(path);
      return true;
    } catch {
      failedAt = performance.now();
      rmSync(path, { force: true });
      return false;
    }
  };
  restore();
  return {
    isReleased() {
      if (released) released = !restore();
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

/** Random bytes: file systems with compression reserve no space for zeros. */
function writeRandomBytes(path: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    const bytes = randomFillSync(Buffer.allocUnsafe(reserveBytes));
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

const diskFull: Failure = { type: 'failed', message: 'database or disk is full', code: 'SQLITE_FULL' };

/**
 * Runs batches on a disk that may be full. Units that free space may use the reserve. Until there is space to restore it, all
 * others are rejected: they would use the space that deletions need.
 */
export function withReserve(run: BatchRunner, reserve: Reserve): BatchRunner {
  return (batch) => {
    const outcomes: Outcome[] = reserve.isReleased() ? batch.map(() => diskFull) : [...run(batch)];
    const retried = batch.flatMap((unit, index) => (freesSpace(unit) && isFull(outcomes[index]) ? [index] : []));
    if (retried.length === 0) return outcomes;
    reserve.release();
    const retryOutcomes = run(retried.flatMap((index) => [batch[index] ?? []]));
    for (const [position, index] of retried.entries()) outcomes[index] = retryOutcomes[position] ?? diskFull;
    return outcomes;
  };
}

function freesSpace(unit: readonly SqlCall[]): boolean {
  return unit.some((call) => call.freesSpace === true);
}

function isFull(outcome: Outcome | undefined): boolean {
  return outcome?.type === 'failed' && outcome.code === 'SQLITE_FULL';
}
