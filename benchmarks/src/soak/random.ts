/** A seeded random number generator (mulberry32). */
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
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
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
