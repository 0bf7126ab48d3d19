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

/** Lines of a batch that may run at once: twice as many as all batches run, so that a batch that starts lines has the next ones ready. */
export const minWindow = (concurrency: number): number => 2 * concurrency;

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
