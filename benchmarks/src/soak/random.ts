import { seededRandom } from '@modelwire/vitest/random';

/** A seeded random number generator. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** An integer from 0 to `below - 1`. */
  below(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
  text(length: number): string;
  bytes(length: number): Buffer<ArrayBuffer>;
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    text: (length) => Array.from({ length }, () => String.fromCharCode(97 + below(26))).join(''),
    bytes(length) {
      const bytes = Buffer.alloc(length);
      for (let at = 0; at < length; at++) bytes[at] = below(256);
      return bytes;
    },
  };
}
