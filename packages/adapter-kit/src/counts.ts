/** The largest count: numbers above it lose precision, and databases return them as errors. */
export const maxCount = Number.MAX_SAFE_INTEGER;

/** A number from outside as a count: an integer from 0 to `max`. What is not a number is 0. */
export function toCount(value: number, max: number = maxCount): number {
  return value > 0 ? Math.min(Math.trunc(value), max) : 0;
}

/** The sum of two counts, at most `maxCount`: one absurd count must not make the sum unreadable. */
export function addCounts(a: number, b: number): number {
  return Math.min(a + b, maxCount);
}
