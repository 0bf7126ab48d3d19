import { riskyWords } from './lexicon.ts';
import { emptyHash, hashText, hashUnit } from './hash.ts';
import { hashSet, type Vocabulary } from './vocabulary.ts';
import type { Work } from './work.ts';

/** The letters that a sign can replace; '*' and similar ones replace a vowel. */
const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'il',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'il',
  '|': 'il',
  '+': 't',
  '€': 'e',
  '£': 'l',
  '(': 'c',
};
const vowels = 'aeiou';
const maskCharacters = '*#%_.?-';
/** A word with more guesses than this is ignored: four masks can mean anything. */
const maxGuessesPerWord = 125;
const maxDisguiseLength = 24;
/** Maximum guesses in one window. */
const maxGuessesPerWindow = 300;

const riskyWordHash = hashSet(Array.from(riskyWords, (word) => hashText(word)));

/** Whether the maximum is reached: no disguises are detected from then on. */
export const hasUsedAllGuesses = ({ guesses = 0 }: Work): boolean => guesses > maxGuessesPerWindow;

/** The risky word of the vocabulary that `chunk` disguises, or undefined. Bounded for any chunk. */
export function decodeDisguise(chunk: string, vocabulary: Vocabulary, work: Work): string | undefined {
  if (chunk.length < 3 || chunk.length > maxDisguiseLength || hasUsedAllGuesses(work)) return undefined;
  const signs: string[] = [];
  let guesses = 1;
  let letters = 0;
  for (const character of chunk) {
    const isLetter = (character >= 'a' && character <= 'z') || character === "'";
    if (isLetter) letters++;
    const choices = isLetter
      ? character
      : (leet[character] ?? (maskCharacters.includes(character) ? vowels : undefined));
    if (choices === undefined) return undefined;
    guesses *= choices.length;
    if (guesses > maxGuessesPerWord) return undefined;
    signs.push(choices);
  }
  if (letters * 2 < chunk.length - 1) return undefined;
  work.guesses = (work.guesses ?? 0) + guesses;
  if (hasUsedAllGuesses(work)) return undefined;
  work.steps += guesses;
  return findGuess(signs, vocabulary);
}

/** The current guess: the choice at each position, and the hashes of all its prefixes. */
const currentChoices = new Uint8Array(maxDisguiseLength);
const prefixHashes = new Int32Array(maxDisguiseLength + 1);

/**
 * The first guess that is a word of the list, else the first risky one, possibly with its stretched letters shortened as in
 * `known`, else the first common one. Guesses share the work of common prefixes, and none becomes a string before a match: a
 * megabyte of disguises has sixteen million.
 */
function findGuess(signs: readonly string[], vocabulary: Vocabulary): string | undefined {
  const { length } = signs;
  const currentWord = () => signs.map((choices, at) => choices[currentChoices[at] ?? 0]).join('');
  let risky: string | undefined;
  let common: string | undefined;
  currentChoices.fill(0);
  prefixHashes[0] = emptyHash;
  let from = 0;
  while (from >= 0) {
    for (let at = from; at < length; at++)
      prefixHashes[at + 1] = hashUnit(prefixHashes[at] ?? 0, signs[at]?.charCodeAt(currentChoices[at] ?? 0) ?? 0);
    const hash = prefixHashes[length] ?? 0;
    if (riskyWordHash(hash) && riskyWords.has(currentWord())) return currentWord();
    if (risky === undefined) {
      if (vocabulary.riskyHash(hash)) risky = currentWord();
      else if (isStretched(signs, vocabulary)) risky = riskyForm(currentWord(), vocabulary);
    }
    // "y0urs3lf" is not a risky word, but its neighbours may be.
    if (common === undefined && length > 4 && vocabulary.commonHash(hash)) common = currentWord();
    for (from = length - 1; from >= 0; from--) {
      const next = (currentChoices[from] ?? 0) + 1;
      currentChoices[from] = next;
      if (next < (signs[from]?.length ?? 0)) break;
      currentChoices[from] = 0;
    }
  }
  return risky ?? common;
}

/** Whether the guess has a double letter, and a shortened form of it is risky. */
function isStretched(signs: readonly string[], vocabulary: Vocabulary): boolean {
  let last = 0;
  let at = 0;
  for (; at < signs.length; at++) {
    const unit = signs[at]?.charCodeAt(currentChoices[at] ?? 0) ?? 0;
    if (unit === last) break;
    last = unit;
  }
  if (at === signs.length) return false;
  // Runs of three or more as two, as one, and all runs as one; equal up to the first repetition.
  let run = 1;
  let first = prefixHashes[at] ?? 0;
  let twice = first;
  let once = first;
  let single = first;
  for (; at < signs.length; at++) {
    const unit = signs[at]?.charCodeAt(currentChoices[at] ?? 0) ?? 0;
    run = unit === last ? run + 1 : 1;
    last = unit;
    if (run <= 2) twice = hashUnit(twice, unit);
    if (run === 1) {
      single = hashUnit(single, unit);
      once = first = hashUnit(once, unit);
    } else once = run === 2 ? hashUnit(first, unit) : first;
  }
  return vocabulary.riskyHash(twice) || vocabulary.riskyHash(once) || vocabulary.riskyHash(single);
}

/** The word, or its form with shortened letters, if risky. */
export function riskyForm(word: string, vocabulary: Vocabulary): string | undefined {
  if (vocabulary.risky(word)) return word;
  if (!/(.)\1/.test(word)) return undefined;
  return [word.replace(/(.)\1\1+/g, '$1$1'), word.replace(/(.)\1\1+/g, '$1'), word.replace(/(.)\1+/g, '$1')].find(
    (shorter) => shorter.length > 2 && vocabulary.risky(shorter),
  );
}

/** The usual spelling of a stretched word: "sooooo" is "so". */
export function collapseRepeats(word: string, vocabulary: Vocabulary): string {
  if (!/(.)\1\1/.test(word)) return word;
  const twice = word.replace(/(.)\1\1+/g, '$1$1');
  const once = word.replace(/(.)\1\1+/g, '$1');
  const is = (candidate: string) => vocabulary.risky(candidate) || vocabulary.common(candidate);
  return is(twice) ? twice : is(once) ? once : (riskyForm(word, vocabulary) ?? once);
}

const persons = new Set(['you', 'your', 'yourself', 'urself', 'myself', 'my', 'me', 'them', 'him', 'her', 'u', 'ur']);
const personHash = hashSet(Array.from(persons, (word) => hashText(word)));
const maxWordLength = 14;

/** The cheapest segmentation into words from each position. */
export interface Spelling {
  readonly letters: string;
  /** The cost of the words from here on, and the end of the first. */
  readonly price: Int32Array;
  readonly end: Int32Array;
  /** Whether a risky word is among the words from here on. */
  readonly risky: Uint8Array;
}

/** Reads letters from the end, so that each position is visited once. Linear. */
export function spelling(letters: string, vocabulary: Vocabulary, work: Work, reused?: Spelling): Spelling {
  const { length } = letters;
  const price = reused?.price ?? new Int32Array(length + 1);
  const end = reused?.end ?? new Int32Array(length + 1);
  const risky = reused?.risky ?? new Uint8Array(length + 1);
  price.fill(unpriced, 0, length);
  price[length] = 0;
  risky[length] = 0;
  let reached = length;
  for (let from = length - 1; from >= 0 && reached - from <= maxWordLength; from--) {
    const last = Math.min(length, from + maxWordLength);
    work.steps += last - from;
    let hash = emptyHash;
    let cheapest = unpriced;
    for (let at = from + 1; at <= last; at++) {
      hash = hashUnit(hash, letters.charCodeAt(at - 1));
      const rest = price[at] ?? unpriced;
      if (rest === unpriced) continue;
      const cost = rest + priceOf(hash, at - from, letters.charCodeAt(from), vocabulary);
      if (cost >= cheapest) continue;
      cheapest = cost;
      end[from] = at;
      risky[from] = risky[at] === 1 || (at - from > 2 && vocabulary.riskyHash(hash)) ? 1 : 0;
    }
    price[from] = cheapest;
    if (cheapest !== unpriced) reached = from;
  }
  return { letters, price, end, risky };
}

/** The words from a position on, if a risky one is among them; otherwise, or without a segmentation, undefined. */
export function riskyWordsFrom({ letters, price, end, risky }: Spelling, from: number): string[] | undefined {
  if (price[from] === unpriced || risky[from] === 0) return undefined;
  const words: string[] = [];
  for (let at = from; at < letters.length; at = end[at] ?? letters.length) words.push(letters.slice(at, end[at]));
  return words;
}

const unpriced = 1 << 29;
const alone = new Set(Array.from('iau', (letter) => letter.charCodeAt(0)));

/** Few, long words win. */
function priceOf(hash: number, length: number, first: number, vocabulary: Vocabulary): number {
  if (length === 1) return alone.has(first) ? 3 : unpriced;
  return vocabulary.knownHash(hash) || personHash(hash) ? 2 : unpriced;
}

const longestCompound = 40;
/** Reused for one compound at a time: most chunks are not words, and allocating arrays would be most of the work. */
const compound: Spelling = {
  letters: '',
  price: new Int32Array(longestCompound + 1),
  end: new Int32Array(longestCompound + 1),
  risky: new Uint8Array(longestCompound + 1),
};

/** "killyourself": a risky word with a person. "therapist" and "cocktail" contain no person. */
export function splitCompound(word: string, vocabulary: Vocabulary, work: Work): string[] | undefined {
  if (word.length < 6 || word.length > longestCompound) return undefined;
  const words = riskyWordsFrom(spelling(word, vocabulary, work, compound), 0);
  if (words === undefined || words.length < 2) return undefined;
  return words.some((part) => part.length > 1 && persons.has(part)) ? words : undefined;
}
