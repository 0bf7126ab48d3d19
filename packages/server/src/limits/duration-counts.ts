/** Upper bounds in milliseconds, each 1.25 times the one before: from 1 ms to 21 minutes. Stores have counts by the index of their bound. */
const bounds = Array.from({ length: 64 }, (_, index) => 1.25 ** index);

/** Counts of durations, of which percentiles are computed to 12 %. */
export interface DurationCounts {
  add(milliseconds: number): void;
  /** Adds so many durations of a range. */
  addRange(range: number, count: number): void;
  /** Adds the counts of others. */
  merge(other: DurationCounts): void;
  /** The number of durations up to each bound and above the one before it; the last are longer than all bounds. */
  readonly counts: readonly number[];
  /** The duration that so large a part of all does not exceed, in milliseconds. Undefined if there are none. @param share From 0 to 1. */
  percentile(share: number): number | undefined;
}

/** The index of the range that a duration is in. */
export function durationRange(milliseconds: number): number {
  const index = bounds.findIndex((bound) => milliseconds <= bound);
  return index === -1 ? bounds.length : index;
}

export function createDurationCounts(): DurationCounts {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  const addRange = (range: number, count: number): void => {
    counts[range] = (counts[range] ?? 0) + count;
  };
  return {
    counts,
    add: (milliseconds) => addRange(durationRange(milliseconds), 1),
    addRange,
    merge(other) {
      for (const [range, count] of other.counts.entries()) addRange(range, count);
    },
    percentile(share) {
      const total = counts.reduce((sum, count) => sum + count, 0);
      if (total === 0) return undefined;
      let seen = 0;
      const index = counts.findIndex((count) => (seen += count) >= share * total && count > 0);
      const upper = bounds[index] ?? bounds.at(-1) ?? 0;
      // The middle of the range.
      return Math.round((upper + upper / 1.25) / 2);
    },
  };
}
