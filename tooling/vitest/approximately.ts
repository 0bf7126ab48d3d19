import { expect } from 'vitest';

/**
 * The same JSON value, with a matcher for each number that is not an integer: what an engine computes differs between processors, and between
 * a prompt that is evaluated as a whole and one from the cache, from about the fifth significant digit.
 */
export function approximately(value: unknown, digits = 3): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : expect.closeTo(value, digits);
  if (Array.isArray(value)) return value.map((item: unknown) => approximately(item, digits));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, approximately(item, digits)]));
}
