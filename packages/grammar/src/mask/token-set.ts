import { IdBuffer } from './id-buffer.ts';

export const NO_TOKENS = new Uint32Array(0);

/** A set of token ids. */
export type TokenMask = {
  /** The number of allowed tokens. */
  readonly count: number;
  has(id: number): boolean;
  /** The allowed ids in ascending order. */
  ids(): Uint32Array;
  /** The allowed id at a zero-based index, without listing all ids; `undefined` if the index is out of range. */
  nth(index: number): number | undefined;
  /** One bit for each token of the vocabulary: bit `id % 32` of word `id / 32`. A copy that the caller can modify. */
  bits(): Uint32Array;
};

/** Masks of at most this many tokens are stored as lists of ids, others as bits. */
export const FEW_IN_MASK = 1024;

export function createMask(bits: Uint32Array): TokenMask {
  const count = countBits(bits);
  if (count <= FEW_IN_MASK) return listMask(listIds(bits, count), bits.length);
  return changedMask({ words: bits.slice(), count }, NO_TOKENS, NO_TOKENS);
}

/** The bits of a set of many tokens. Several masks share them, so they are never modified. */
export type TokenBits = { readonly words: Uint32Array; readonly count: number };

export function countedBits(words: Uint32Array): TokenBits {
  return { words, count: countBits(words) };
}

const addedIds = new IdBuffer();

/** The tokens of some lists that are not set in the bits, in ascending order and without duplicates. */
export function addedTokens({ words }: TokenBits, ...lists: readonly Iterable<number>[]): Uint32Array {
  addedIds.clear();
  for (const list of lists) for (const id of list) if (!hasBit(words, id)) addedIds.add(id);
  return addedIds.sorted();
}

/** A mask of shared bits and few differences: added and removed tokens, both in ascending order. */
export function changedMask(base: TokenBits, added: Uint32Array, removed: Uint32Array): TokenMask {
  return new ChangedMask(base, added, removed);
}

/** A mask of ids in ascending order. */
export function listMask(list: Uint32Array, words: number): TokenMask {
  return new ListMask(list, words);
}

// Classes, because thousands of masks are cached, and each method of an object literal would be another object.
class ChangedMask implements TokenMask {
  readonly count: number;
  readonly #words: Uint32Array;
  readonly #added: Uint32Array;
  readonly #removed: Uint32Array;

  constructor({ words, count }: TokenBits, added: Uint32Array, removed: Uint32Array) {
    this.count = count + added.length - removed.length;
    this.#words = words;
    this.#added = added;
    this.#removed = removed;
  }

  has(id: number): boolean {
    return hasBit(this.#words, id) ? !includesId(this.#removed, id) : includesId(this.#added, id);
  }

  ids(): Uint32Array {
    return listIds(this.bits(), this.count);
  }

  nth(index: number): number | undefined {
    return nthBit(this.#added.length + this.#removed.length === 0 ? this.#words : this.bits(), index);
  }

  bits(): Uint32Array {
    const out = this.#words.slice();
    for (const id of this.#added) setBit(out, id);
    for (const id of this.#removed) clearBit(out, id);
    return out;
  }
}

class ListMask implements TokenMask {
  readonly count: number;
  readonly #list: Uint32Array;
  readonly #words: number;

  constructor(list: Uint32Array, words: number) {
    this.count = list.length;
    this.#list = list;
    this.#words = words;
  }

  has(id: number): boolean {
    return includesId(this.#list, id);
  }

  ids(): Uint32Array {
    return this.#list.slice();
  }

  nth(index: number): number | undefined {
    return this.#list[index];
  }

  bits(): Uint32Array {
    const out = new Uint32Array(this.#words);
    for (const id of this.#list) setBit(out, id);
    return out;
  }
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) count += countOnes(word);
  return count;
}

function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function nthBit(bits: Uint32Array, rank: number): number | undefined {
  if (rank < 0) return undefined;
  let remaining = rank;
  for (let index = 0; index < bits.length; index++) {
    let word = bits[index] ?? 0;
    const count = countOnes(word);
    if (remaining >= count) {
      remaining -= count;
      continue;
    }
    for (; remaining > 0; remaining--) word = (word & (word - 1)) >>> 0;
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

function includesId(sorted: Uint32Array, id: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === id;
}
