import { IdBuffer } from './id-buffer.ts';

/** A set of token ids. */
export type TokenMask = {
  /** The number of allowed tokens. */
  readonly count: number;
  has(id: number): boolean;
  /** The allowed ids in ascending order. */
  ids(): Uint32Array;
  /** The id at an index of that order, from 0, without listing them all. */
  nth(place: number): number | undefined;
  /** One bit for each token of the vocabulary: bit `id % 32` of word `id / 32`. A copy that the caller owns. */
  bits(): Uint32Array;
};

/** The maximum number of ids that are kept as a list instead of bits. */
export const FEW_IN_MASK = 1024;

export function createMask(bits: Uint32Array): TokenMask {
  const count = countBits(bits);
  if (count <= FEW_IN_MASK) return listMask(listIds(bits, count), bits.length);
  const kept = bits.slice();
  return {
    count,
    has: (id) => hasBit(kept, id),
    ids: () => listIds(kept, count),
    nth: (place) => nthBit(kept, place),
    bits: () => kept.slice(),
  };
}

/** Bits of many tokens, which several masks share. They are not modified. */
export type TokenBits = { readonly words: Uint32Array; readonly count: number };

export function countedBits(words: Uint32Array): TokenBits {
  return { words, count: countBits(words) };
}

const added = new IdBuffer();

/** Those of the tokens that are not among the bits, once each and in ascending order. */
export function addedTokens({ words }: TokenBits, ...lists: readonly Iterable<number>[]): Uint32Array {
  added.clear();
  for (const list of lists) for (const id of list) if (!hasBit(words, id)) added.add(id);
  return added.sorted();
}

/** A mask of shared bits with few changes: `added` are not among them, `removed` are; both in ascending order. */
export function changedMask(base: TokenBits, added: Uint32Array, removed: Uint32Array): TokenMask {
  const { words } = base;
  const count = base.count + added.length - removed.length;
  const bits = (): Uint32Array => {
    const out = words.slice();
    for (const id of added) setBit(out, id);
    for (const id of removed) clearBit(out, id);
    return out;
  };
  return {
    count,
    has: (id) => (hasBit(words, id) ? !holds(removed, id) : holds(added, id)),
    ids: () => listIds(bits(), count),
    nth: (place) => nthBit(added.length + removed.length === 0 ? words : bits(), place),
    bits,
  };
}

/** A mask of ids in ascending order. */
export function listMask(list: Uint32Array, words: number): TokenMask {
  return {
    count: list.length,
    has: (id) => holds(list, id),
    ids: () => list.slice(),
    nth: (place) => list[place],
    bits: () => {
      const out = new Uint32Array(words);
      for (const id of list) setBit(out, id);
      return out;
    },
  };
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) count += ones(word);
  return count;
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function nthBit(bits: Uint32Array, place: number): number | undefined {
  let left = place;
  for (let index = 0; index < bits.length; index++) {
    let word = bits[index] ?? 0;
    const count = ones(word);
    if (left >= count) {
      left -= count;
      continue;
    }
    for (; left > 0; left--) word = (word & (word - 1)) >>> 0;
    return index * 32 + (31 - Math.clz32(word & -word));
  }
  return undefined;
}

export function setBit(bits: Uint32Array, id: number): void {
  bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31));
}

export function clearBit(bits: Uint32Array, id: number): void {
  bits[id >>> 5] = (bits[id >>> 5] ?? 0) & ~(1 << (id & 31));
}

export function hasBit(bits: Uint32Array, id: number): boolean {
  return ((bits[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0;
}

export function listIds(bits: Uint32Array, count: number): Uint32Array {
  const out = new Uint32Array(count);
  let at = 0;
  for (let index = 0; index < bits.length; index++) {
    for (let word = bits[index] ?? 0; word !== 0; word = (word & (word - 1)) >>> 0) {
      out[at++] = index * 32 + (31 - Math.clz32(word & -word));
    }
  }
  return out;
}

function holds(sorted: Uint32Array, id: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === id;
}
