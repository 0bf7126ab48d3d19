import { hashText } from './hash.ts';

/** What the reader of disguised words knows. Words are kept as hashes: the package has no list of slurs to read. */
export interface Vocabulary {
  /** Words worth uncovering. */
  risky(word: string): boolean;
  /** Words that ordinary text is made of. */
  common(word: string): boolean;
}

export function vocabularyOf(riskyHashes: Iterable<number>, commonHashes: Iterable<number>): Vocabulary {
  const risky = new Set(riskyHashes);
  const common = new Set(commonHashes);
  return { risky: (word) => risky.has(hashText(word)), common: (word) => common.has(hashText(word)) };
}
