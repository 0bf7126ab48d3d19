/**
 * How many lines of a batch may be at work, or be answered without being stored: a crash repeats as many, one at a time.
 *
 * It is `least` for upstreams, which may charge for each repetition. While lines of an engine in this process are answered quickly it grows, so
 * that more of them share a commit: with 32 lines, 50,000 lines of an engine that answers at once waited for commits most of the time.
 */
export interface LineWindow {
  size(): number;
  /** A line was answered after so many milliseconds. */
  answered(ms: number): void;
  /** Call when lines were stored. @param unstored Lines that are at work, or answered and not stored. */
  stored(unstored: number): void;
}

export interface LineWindowOptions {
  readonly least: number;
  /** Called when the window could grow. */
  readonly most: () => number;
  /** The size that is written, of an earlier run of the batch. */
  readonly written: number | undefined;
  /** Writes the size, so that it is known after a crash. */
  readonly write: (size: number) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Milliseconds in which a crashed batch may repeat the lines of a window that has grown. */
const maxRepetitionMs = 5000;
/** Lines over which the mean time of a line is taken, approximately. */
const meanOver = 32;

export function createLineWindow({
  least,
  most,
  written: before = least,
  write,
  failed,
}: LineWindowOptions): LineWindow {
  let size = least;
  let written = before;
  let isWriting = false;
  let meanMs = maxRepetitionMs;
  let count = 0;
  let sinceResized = 0;

  async function resize(to: number): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    try {
      await write(to);
      written = to;
      // Lines may have become slow meanwhile.
      if (to > size && isFastEnoughFor(to)) size = to;
      sinceResized = 0;
    } catch (error) {
      failed(error);
    } finally {
      isWriting = false;
    }
  }
  function isFastEnoughFor(lines: number): boolean {
    return lines * meanMs <= maxRepetitionMs;
  }
  return {
    size: () => size,
    answered(ms) {
      count += 1;
      sinceResized += 1;
      meanMs += (ms - meanMs) / Math.min(meanOver, count);
      if (size > least && !isFastEnoughFor(size)) size = least;
      if (isWriting || sinceResized < size || !isFastEnoughFor(2 * size)) return;
      sinceResized = 0;
      const next = Math.min(most(), 2 * size);
      if (next > size) void resize(next);
    },
    stored(unstored) {
      if (written > size && unstored <= size && !isFastEnoughFor(2 * size)) void resize(size);
    },
  };
}
