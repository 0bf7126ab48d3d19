import { hashText, mix } from './hash.ts';
import { neutralWord } from './neutral.ts';
import { isMark } from './words.ts';
import type { Work } from './work.ts';

/** How many buckets features fall into. */
export const buckets = 1 << 17;
const mask = buckets - 1;
/** Shortest and longest run of letters, with the space before and behind a word. */
const shortest = 3;
const longest = 5;
const longestWord = 20;

/** Features of one stretch in three groups, each with the same total length, whatever the number of words. */
export interface Features {
  /** Hashes of the words, each once. */
  readonly words: readonly number[];
  /** What each of the words counts. */
  readonly share: number;
  /** Pairs of words and runs of letters. */
  readonly bucket: readonly number[];
  readonly value: readonly number[];
}

const seeds = { pair: 0x2545f491, letters: 0x6c8e9cf5 };

/** Words, pairs of words, and runs of letters within words, each counted once. */
export function features(words: readonly string[], work: Work): Features {
  const distinct = new Set(words);
  const seen = new Set<number>();
  const bucket: number[] = [];
  const value: number[] = [];
  const add = (hash: number): void => {
    const index = mix(hash) & mask;
    if (seen.has(index)) return;
    seen.add(index);
    bucket.push(index);
  };
  const close = (share: number): void => {
    const size = bucket.length - value.length;
    const each = share / Math.sqrt(size);
    for (let i = 0; i < size; i++) value.push(each);
  };
  let last = '^';
  for (const word of words) {
    add(hashText(word, 0, word.length, hashText(last, 0, last.length, seeds.pair) ^ 0x20));
    last = word;
  }
  close(0.7);
  for (const word of distinct) {
    if (isMark(word) || word === neutralWord || word.length > longestWord) continue;
    const edged = ` ${word} `;
    for (let from = 0; from + shortest <= edged.length; from++) {
      let hash = hashText(edged, from, from + shortest - 1, seeds.letters);
      for (let to = from + shortest; to <= Math.min(from + longest, edged.length); to++) {
        hash = Math.imul(hash ^ edged.charCodeAt(to - 1), 0x01000193);
        add(hash >>> 0);
      }
    }
  }
  close(0.7);
  work.steps += bucket.length + words.length;
  return {
    words: Array.from(distinct, (word) => hashText(word)),
    share: 1 / Math.sqrt(Math.max(1, distinct.size)),
    bucket,
    value,
  };
}
