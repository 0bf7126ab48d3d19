import { emptyHash, hashUnits } from './hash.ts';

/** Words for decoding disguises, stored as hashes: the package contains no list of slurs. */
export interface Vocabulary {
  /** Words worth uncovering. */
  risky(word: string): boolean;
  /** Words of ordinary text. */
  common(word: string): boolean;
  /** The same for a word's hash (`hashText`, `hashUnit`): guesses are too many to make strings of. */
  riskyHash(hash: number): boolean;
  commonHash(hash: number): boolean;
  /** Either of them, in one lookup. */
  knownHash(hash: number): boolean;
}

export function vocabularyOf(riskyHashes: readonly number[], commonHashes: readonly number[]): Vocabulary {
  const riskyHash = hashSet(riskyHashes);
  const commonHash = hashSet(commonHashes);
  return {
    risky: (word) => riskyHash(hashOf(word)),
    common: (word) => commonHash(hashOf(word)),
    riskyHash,
    commonHash,
    knownHash: hashSet([...riskyHashes, ...commonHashes]),
  };
}

const hashOf = (word: string): number => hashUnits(word, 0, word.length, emptyHash);

const slots = 1 << 18;

/**
 * Whether a hash, signed or not, is in the set. A table rejects most with one lookup: a `Set` of such large numbers takes ten
 * times as long.
 */
export function hashSet(hashes: Iterable<number>): (hash: number) => boolean {
  const all = new Set(hashes);
  const maybe = new Uint8Array(slots);
  for (const hash of all) maybe[(hash ^ (hash >>> 14)) & (slots - 1)] = 1;
  return (hash) => maybe[(hash ^ (hash >>> 14)) & (slots - 1)] === 1 && all.has(hash >>> 0);
}
