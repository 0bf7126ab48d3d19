/** A set of token ids. */
export type TokenMask = {
  /** How many tokens are allowed. */
  readonly count: number;
  has(id: number): boolean;
  /** The allowed ids in ascending order. */
  ids(): Uint32Array;
  /** One bit for each token of the vocabulary: bit `id % 32` of word `id / 32`. A copy: it is yours. */
  bits(): Uint32Array;
};

/** Up to so many ids are kept as a list and not as bits. */
const FEW = 1024;

export function createMask(bits: Uint32Array): TokenMask {
  let count = 0;
  for (let word of bits) for (; word !== 0; word = (word & (word - 1)) >>> 0) count++;
  if (count > FEW) {
    const kept = bits.slice();
    return { count, has: (id) => hasBit(kept, id), ids: () => listIds(kept, count), bits: () => kept.slice() };
  }
  const list = listIds(bits, count);
  const words = bits.length;
  return {
    count,
    has: (id) => holds(list, id),
    ids: () => list.slice(),
    bits: () => {
      const out = new Uint32Array(words);
      for (const id of list) setBit(out, id);
      return out;
    },
  };
}

export function setBit(bits: Uint32Array, id: number): void {
  bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31));
}

function hasBit(bits: Uint32Array, id: number): boolean {
  return ((bits[id >>> 5] ?? 0) & (1 << (id & 31))) !== 0;
}

function listIds(bits: Uint32Array, count: number): Uint32Array {
  const out = new Uint32Array(count);
  let at = 0;
  bits.forEach((bitsOfWord, index) => {
    for (let word = bitsOfWord; word !== 0; word = (word & (word - 1)) >>> 0) {
      out[at++] = index * 32 + (31 - Math.clz32(word & -word));
    }
  });
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
