import { riskyWords } from './lexicon.ts';
import { emptyHash, hashText, hashUnit } from './hash.ts';
import { hashSet, type Vocabulary } from './vocabulary.ts';
import type { Work } from './work.ts';

/** What a sign stands for when it stands in for a letter; '*' and the like hide a vowel. */
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
const hidden = 'aeiou';
const masks = '*#%_.?-';
/** A word that needs more guesses than this is left alone: with four masks anything could be meant. */
const maxGuesses = 125;
const longestDisguise = 24;

const riskyWordHash = hashSet(Array.from(riskyWords, (word) => hashText(word)));

/** The word of the vocabulary's risky ones that `chunk` is a disguise of, or undefined. Bounded for any chunk. */
export function unmask(chunk: string, vocabulary: Vocabulary, work: Work): string | undefined {
  if (chunk.length < 3 || chunk.length > longestDisguise) return undefined;
  const signs: string[] = [];
  let guesses = 1;
  let letters = 0;
  for (const sign of chunk) {
    const plain = (sign >= 'a' && sign <= 'z') || sign === "'";
    if (plain) letters++;
    const choices = plain ? sign : (leet[sign] ?? (masks.includes(sign) ? hidden : undefined));
    if (choices === undefined) return undefined;
    guesses *= choices.length;
    if (guesses > maxGuesses) return undefined;
    signs.push(choices);
  }
  work.steps += guesses;
  if (letters * 2 < chunk.length - 1) return undefined;
  return guess(signs, vocabulary);
}

/** Of the guess that is looked at: which choice stands at each place, and the hashes of all its beginnings. */
const tried = new Uint8Array(longestDisguise);
const beginnings = new Int32Array(longestDisguise + 1);

/**
 * The first of the guesses that is a word of the list, else the first that is risky, perhaps with its stretched letters shortened as
 * in `known`, else the first that is common. Guesses that begin alike share the work, and none becomes a text before it is found:
 * a megabyte of disguises has sixteen million.
 */
function guess(signs: readonly string[], vocabulary: Vocabulary): string | undefined {
  const { length } = signs;
  const made = () => signs.map((choices, at) => choices[tried[at] ?? 0]).join('');
  let risky: string | undefined;
  let common: string | undefined;
  tried.fill(0);
  beginnings[0] = emptyHash;
  let from = 0;
  while (from >= 0) {
    for (let at = from; at < length; at++)
      beginnings[at + 1] = hashUnit(beginnings[at] ?? 0, signs[at]?.charCodeAt(tried[at] ?? 0) ?? 0);
    const hash = beginnings[length] ?? 0;
    if (riskyWordHash(hash) && riskyWords.has(made())) return made();
    if (risky === undefined) {
      if (vocabulary.riskyHash(hash)) risky = made();
      else if (isStretched(signs, vocabulary)) risky = known(made(), vocabulary);
    }
    // "y0urs3lf" is no risky word, but the ones around it may be.
    if (common === undefined && length > 4 && vocabulary.commonHash(hash)) common = made();
    for (from = length - 1; from >= 0; from--) {
      const next = (tried[from] ?? 0) + 1;
      tried[from] = next;
      if (next < (signs[from]?.length ?? 0)) break;
      tried[from] = 0;
    }
  }
  return risky ?? common;
}

/** Whether the guess that is looked at has a letter twice in a row, and a shorter form of it is risky. */
function isStretched(signs: readonly string[], vocabulary: Vocabulary): boolean {
  let last = 0;
  let at = 0;
  for (; at < signs.length; at++) {
    const unit = signs[at]?.charCodeAt(tried[at] ?? 0) ?? 0;
    if (unit === last) break;
    last = unit;
  }
  if (at === signs.length) return false;
  // Runs of three or more as two, as one, and all runs as one; up to the first repeat they are the same.
  let run = 1;
  let first = beginnings[at] ?? 0;
  let twice = first;
  let once = first;
  let single = first;
  for (; at < signs.length; at++) {
    const unit = signs[at]?.charCodeAt(tried[at] ?? 0) ?? 0;
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

/** The word itself or with its stretched letters shortened, where that is a risky one. */
export function known(word: string, vocabulary: Vocabulary): string | undefined {
  if (vocabulary.risky(word)) return word;
  if (!/(.)\1/.test(word)) return undefined;
  return [word.replace(/(.)\1\1+/g, '$1$1'), word.replace(/(.)\1\1+/g, '$1'), word.replace(/(.)\1+/g, '$1')].find(
    (shorter) => shorter.length > 2 && vocabulary.risky(shorter),
  );
}

/** A stretched word as it is mostly spelled: "sooooo" is "so". */
export function unstretch(word: string, vocabulary: Vocabulary): string {
  if (!/(.)\1\1/.test(word)) return word;
  const twice = word.replace(/(.)\1\1+/g, '$1$1');
  const once = word.replace(/(.)\1\1+/g, '$1');
  const is = (candidate: string) => vocabulary.risky(candidate) || vocabulary.common(candidate);
  return is(twice) ? twice : is(once) ? once : (known(word, vocabulary) ?? once);
}

const persons = new Set(['you', 'your', 'yourself', 'urself', 'myself', 'my', 'me', 'them', 'him', 'her', 'u', 'ur']);
const personHash = hashSet(Array.from(persons, (word) => hashText(word)));
const longestWord = 14;

/** Splits letters that were run together, or spelled one by one, into known words; undefined where they can't be. Linear. */
export function split(letters: string, vocabulary: Vocabulary, work: Work): string[] | undefined {
  const { length } = letters;
  // For each end the lowest price of the words before it, and where the last of them begins.
  const price = new Int32Array(length + 1).fill(unpriced);
  const begin = new Int32Array(length + 1);
  price[0] = 0;
  let reached = 0;
  for (let from = 0; from <= reached && from < length; from++) {
    const before = price[from] ?? unpriced;
    if (before === unpriced) continue;
    const last = Math.min(length, from + longestWord);
    work.steps += last - from;
    let hash = emptyHash;
    for (let end = from + 1; end <= last; end++) {
      hash = hashUnit(hash, letters.charCodeAt(end - 1));
      const cost = before + priceOf(hash, end - from, letters.charCodeAt(from), vocabulary);
      if (cost >= (price[end] ?? 0)) continue;
      price[end] = cost;
      begin[end] = from;
      reached = Math.max(reached, end);
    }
  }
  if (price[length] === unpriced) return undefined;
  const words: string[] = [];
  for (let end = length; end > 0; end = begin[end] ?? 0) words.push(letters.slice(begin[end] ?? 0, end));
  return words.reverse();
}

const unpriced = 1 << 29;
const alone = new Set(Array.from('iau', (letter) => letter.charCodeAt(0)));

/** Few, long words win. */
function priceOf(hash: number, length: number, first: number, vocabulary: Vocabulary): number {
  if (length === 1) return alone.has(first) ? 3 : unpriced;
  return vocabulary.commonHash(hash) || vocabulary.riskyHash(hash) || personHash(hash) ? 2 : unpriced;
}

/** "killyourself": a risky word and a person in one. "therapist" and "cocktail" have no person in them. */
export function splitCompound(word: string, vocabulary: Vocabulary, work: Work): string[] | undefined {
  if (word.length < 6 || word.length > 40) return undefined;
  const words = split(word, vocabulary, work);
  if (words === undefined || words.length < 2) return undefined;
  const risky = words.some((part) => part.length > 2 && vocabulary.risky(part));
  return risky && words.some((part) => part.length > 1 && persons.has(part)) ? words : undefined;
}
