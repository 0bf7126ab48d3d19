import { seededRandom } from '@modelwire/vitest/random';

/** Pseudorandom choices that a seed determines. */
export interface Random {
  /** From 0 to 1. */
  next(): number;
  /** An integer from `low` to `high`. */
  integer(low: number, high: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** A positive number of a log-normal distribution, as durations and lengths have. */
  around(median: number, spread: number): number;
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  return {
    next,
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    around(median, spread) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(spread * normal);
    },
  };
}

/** A seed from a text. */
export function seedOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return hash;
}
