import type { BatchResult } from '@modelwire/ports';

/**
 * How many lines of a batch may be running, or be completed without being stored. After a crash as many lines are repeated, one at a time.
 *
 * The window is `minSize` for upstreams, which may charge for each repetition. It grows while an engine in this process replies quickly, so
 * that more lines share a commit: with 32 lines, a batch of 50,000 lines with an engine that replied immediately spent most of its time waiting
 * for commits.
 */
interface LineWindow {
  size(): number;
  /** Records that a line was completed after `ms` milliseconds. */
  recordCompletion(ms: number): void;
  /** Call after results were stored. @param unstored Lines that are running, or completed and not stored. */
  recordStored(unstored: number): void;
}

export interface LineWindowOptions {
  readonly minSize: number;
  /** Called when the window could grow. */
  readonly maxSize: () => number;
  /** The size that an earlier run of the batch stored. */
  readonly storedSize: number | undefined;
  /** Stores the size, so that it is known after a crash. */
  readonly storeSize: (size: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds that repeating the lines of a window may take after a crash. */
const maxRepetitionMs = 5000;
/** Number of lines over which the mean duration is taken, approximately. */
const meanSampleCount = 32;

export function createLineWindow({
  minSize,
  maxSize,
  storedSize: initialStoredSize = minSize,
  storeSize,
  onError,
}: LineWindowOptions): LineWindow {
  let size = minSize;
  let currentStoredSize = initialStoredSize;
  let isStoring = false;
  let meanMs = maxRepetitionMs;
  let count = 0;
  let sinceResized = 0;

  async function resize(to: number): Promise<void> {
    if (isStoring) return;
    isStoring = true;
    try {
      await storeSize(to);
      currentStoredSize = to;
      // Lines may have become slower during the write.
      if (to > size && isFastEnoughFor(to)) size = to;
      sinceResized = 0;
    } catch (error) {
      onError(error);
    } finally {
      isStoring = false;
    }
  }
  function isFastEnoughFor(lines: number): boolean {
    return lines * meanMs <= maxRepetitionMs;
  }
  return {
    size: () => size,
    recordCompletion(ms) {
      count += 1;
      sinceResized += 1;
      meanMs += (ms - meanMs) / Math.min(meanSampleCount, count);
      if (size > minSize && !isFastEnoughFor(size)) size = minSize;
      if (isStoring || sinceResized < size || !isFastEnoughFor(2 * size)) return;
      sinceResized = 0;
      const next = Math.min(maxSize(), 2 * size);
      if (next > size) void resize(next);
    },
    recordStored(unstored) {
      if (currentStoredSize > size && unstored <= size && !isFastEnoughFor(2 * size)) void resize(size);
    },
  };
}

/** Limits the memory of the lines that have been read and not completed yet, over all batches of a server. */
export interface LineMemory {
  /** Reserves memory for a line of the maximum length before it is read. Undefined if there is not enough: `onFreed` is called once there may be. */
  reserve(onFreed: () => void): LineReservation | undefined;
}

export interface LineReservation {
  /** Reduces the reservation to the actual length of the line. */
  resize(length: number): void;
  /** Releases the reservation. Further calls have no effect. */
  release(): void;
}

/**
 * Limits the total number of UTF-16 code units. Memory is reserved before a line is read, because its length is unknown until then. One
 * line is always admitted, however small the limit is.
 */
export function createLineMemory({
  maxLength,
  maxLineLength,
}: {
  readonly maxLength: number;
  readonly maxLineLength: number;
}): LineMemory {
  let reserved = 0;
  const waiting = new Set<() => void>();

  function adjust(delta: number): void {
    reserved += delta;
    if (delta >= 0) return;
    const listeners = [...waiting];
    waiting.clear();
    for (const freed of listeners) freed();
  }
  return {
    reserve(onFreed) {
      if (reserved > 0 && reserved + maxLineLength > maxLength) {
        waiting.add(onFreed);
        return undefined;
      }
      waiting.delete(onFreed);
      let length = maxLineLength;
      adjust(length);
      const resize = (now: number): void => {
        const delta = now - length;
        length = now;
        adjust(delta);
      };
      return { resize, release: () => resize(0) };
    },
  };
}

/** Limits of one commit. */
const maxResultsPerCommit = 500;
const maxCommitLength = 4 * 1024 * 1024;
/** UTF-16 code units that may wait for a commit before no further lines are started. */
const maxPendingLength = 16 * 1024 * 1024;

interface ResultWriter {
  add(result: BatchResult): void;
  /** Number of results that are not stored yet. Their lines would be sent again after a crash. */
  unstoredCount(): number;
  /** False while too many results wait to be stored. */
  hasCapacity(): boolean;
  /** Resolves when all added results are stored, or storing has failed. */
  flush(): Promise<void>;
}

/** Stores results in few commits: those that arrive during a commit are stored together by the next one. */
export function createResultWriter(init: {
  /** Resolves when the results are durable. */
  readonly store: (results: readonly BatchResult[]) => Promise<void>;
  /** Called after each commit. */
  readonly onStored: () => void;
  /** Called when storing fails. Nothing is stored afterwards. */
  readonly onError: (error: unknown) => void;
}): ResultWriter {
  let pending: BatchResult[] = [];
  let pendingLength = 0;
  let inCommit = 0;
  let hasFailed = false;
  let running: Promise<void> | undefined;

  function takeCommit(): readonly BatchResult[] {
    let count = 0;
    let commitLength = 0;
    while (count < pending.length && count < maxResultsPerCommit && (count === 0 || commitLength < maxCommitLength)) {
      commitLength += pending[count++]?.text.length ?? 0;
    }
    pendingLength -= commitLength;
    const results = pending.slice(0, count);
    pending = pending.slice(count);
    return results;
  }
  async function run(): Promise<void> {
    // Results that arrive in the same event-loop turn share a commit.
    await Promise.resolve();
    try {
      while (pending.length > 0) {
        const results = takeCommit();
        inCommit = results.length;
        await init.store(results);
        inCommit = 0;
        init.onStored();
      }
    } catch (error) {
      hasFailed = true;
      init.onError(error);
    } finally {
      running = undefined;
    }
  }
  return {
    add(result) {
      if (hasFailed) return;
      pending.push(result);
      pendingLength += result.text.length;
      running ??= run();
    },
    unstoredCount: () => pending.length + inCommit,
    hasCapacity: () => pendingLength < maxPendingLength,
    flush: () => running ?? Promise.resolve(),
  };
}
