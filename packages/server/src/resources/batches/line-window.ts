/**
 * How many lines of a batch may be running, or be completed without being stored. After a crash as many lines are repeated, one at a time.
 *
 * The window follows how many lines may run at once: upstreams may charge for each repetition. It grows further while an engine in this process
 * replies quickly, so that more lines share a commit: with 32 lines, a batch of 50,000 lines with an engine that replied immediately spent most
 * of its time waiting for commits.
 */
interface LineWindow {
  size(): number;
  /** Records that a line was completed after `ms` milliseconds. */
  recordCompletion(ms: number): void;
  /** Call after results were stored. @param unstored Lines that are running, or completed and not stored. */
  recordStored(unstored: number): void;
}

export interface LineWindowOptions {
  /** For the lines that may run at once now. */
  readonly minSize: () => number;
  /** Called when the window could grow for quick lines. */
  readonly maxSize: () => number;
  /** The size that an earlier run of the batch stored, or that which needs not be stored. */
  readonly storedSize: number;
  /** Stores the size, so that it is known after a crash. */
  readonly storeSize: (size: number) => Promise<void>;
  /** Called when the window has grown. */
  readonly onGrown: () => void;
  readonly onError: (error: unknown) => void;
}

/** Lines of a batch that may run at once: twice as many as all batches run, so that a batch that starts lines has the next ones ready. */
export const minWindow = (concurrency: number): number => 2 * concurrency;

/** Milliseconds that repeating the lines of a window may take after a crash. */
const maxRepetitionMs = 5000;
/** Number of lines over which the mean duration is taken, approximately. */
const meanSampleCount = 32;
/** A window that grows by single lines is not stored for each of them. */
const storedMargin = 1.25;

export function createLineWindow(init: LineWindowOptions): LineWindow {
  const { minSize, maxSize, storeSize, onGrown, onError } = init;
  let { storedSize } = init;
  /** The size for quick lines. */
  let quickSize = 0;
  let isStoring = false;
  let meanMs = maxRepetitionMs;
  let count = 0;
  let sinceResized = 0;

  /** A crash repeats as many lines as are stored: that number grows before the window does. */
  const size = (): number => Math.min(storedSize, Math.max(minSize(), quickSize));

  async function store(next: number): Promise<void> {
    isStoring = true;
    storedSize = Math.min(storedSize, next);
    try {
      await storeSize(next);
      storedSize = next;
      sinceResized = 0;
      onGrown();
    } catch (error) {
      onError(error);
    } finally {
      isStoring = false;
    }
  }
  function isFastEnoughFor(lines: number): boolean {
    return lines * meanMs <= maxRepetitionMs;
  }
  async function growForQuickLines(next: number): Promise<void> {
    if (next > storedSize) await store(next);
    // Lines may have become slower during the write.
    if (isFastEnoughFor(next)) quickSize = Math.min(next, storedSize);
  }
  return {
    size,
    recordCompletion(ms) {
      count += 1;
      sinceResized += 1;
      meanMs += (ms - meanMs) / Math.min(meanSampleCount, count);
      if (!isFastEnoughFor(quickSize)) quickSize = 0;
      if (isStoring) return;
      if (minSize() > storedSize) {
        void store(Math.ceil(minSize() * storedMargin));
        return;
      }
      if (sinceResized < size() || !isFastEnoughFor(2 * size())) return;
      sinceResized = 0;
      const next = Math.min(maxSize(), 2 * size());
      if (next > size()) void growForQuickLines(next);
    },
    recordStored(unstored) {
      const isFarLarger = storedSize > storedMargin ** 2 * size();
      if (!isStoring && isFarLarger && unstored <= size() && !isFastEnoughFor(2 * size())) void store(size());
    },
  };
}
