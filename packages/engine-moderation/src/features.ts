import { hashText, hashUnit, hashUnits, mix } from './hash.ts';
import { neutralWord } from './neutral.ts';
import { isMark } from './words.ts';
import type { Work } from './work.ts';

/** Number of feature buckets. */
export const buckets = 1 << 17;
const mask = buckets - 1;
/** Minimum and maximum length of letter n-grams, including the spaces around a word. */
const shortest = 3;
const longest = 5;
const longestWord = 20;
/** The weights of all word pairs, and of all letter n-grams, relative to the words. */
const groupShare = 0.7;

/** Features of one stretch in three groups with the same total length each, whatever the number of words. */
export interface Features {
  /** Hashes of the distinct words. */
  readonly words: readonly number[];
  /** The weight of each word. */
  readonly share: number;
  /** Word pairs, then letter n-grams. */
  readonly bucket: readonly number[];
  readonly pairs: number;
  /** The weights of each pair and n-gram. */
  readonly pairShare: number;
  readonly runShare: number;
}

const seeds = { pair: 0x2545f491, letters: 0x6c8e9cf5 };

/** The last stretch with each bucket, to count it once per stretch: sets would take three times as long. */
const lastIn = new Uint32Array(buckets);
let stretch = 0;

/** Words, word pairs and letter n-grams, each counted once. */
export function features(words: readonly string[], work: Work): Features {
  const distinct = new Set(words);
  if (stretch === 0xffffffff) lastIn.fill((stretch = 0));
  stretch++;
  const bucket: number[] = [];
  const add = (hash: number): void => {
    const index = mix(hash) & mask;
    if (lastIn[index] === stretch) return;
    lastIn[index] = stretch;
    bucket.push(index);
  };
  let last = '^';
  for (const word of words) {
    add(hashUnits(word, 0, word.length, hashUnits(last, 0, last.length, seeds.pair) ^ 0x20));
    last = word;
  }
  const pairs = bucket.length;
  for (const word of distinct) {
    if (isMark(word) || word === neutralWord || word.length > longestWord) continue;
    const edged = ` ${word} `;
    for (let from = 0; from + shortest <= edged.length; from++) {
      let hash = hashUnits(edged, from, from + shortest - 1, seeds.letters);
      for (let to = from + shortest; to <= Math.min(from + longest, edged.length); to++) {
        hash = hashUnit(hash, edged.charCodeAt(to - 1));
        add(hash);
      }
    }
  }
  work.steps += bucket.length + words.length;
  return {
    words: Array.from(distinct, (word) => hashText(word)),
    share: 1 / Math.sqrt(Math.max(1, distinct.size)),
    bucket,
    pairs,
    pairShare: groupShare / Math.sqrt(Math.max(1, pairs)),
    runShare: groupShare / Math.sqrt(Math.max(1, bucket.length - pairs)),
  };
}
