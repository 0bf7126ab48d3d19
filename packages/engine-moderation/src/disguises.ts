import { riskyWords } from './lexicon.ts';
import type { Vocabulary } from './vocabulary.ts';
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

/** The word of the vocabulary's risky ones that `chunk` is a disguise of, or undefined. Bounded for any chunk. */
export function unmask(chunk: string, vocabulary: Vocabulary, work: Work): string | undefined {
  if (chunk.length < 3 || chunk.length > longestDisguise) return undefined;
  let guesses = [''];
  let letters = 0;
  for (const sign of chunk) {
    const plain = (sign >= 'a' && sign <= 'z') || sign === "'";
    if (plain) letters++;
    const choices = plain ? sign : (leet[sign] ?? (masks.includes(sign) ? hidden : undefined));
    if (choices === undefined || guesses.length * choices.length > maxGuesses) return undefined;
    const grown: string[] = [];
    for (const guess of guesses) for (const letter of choices) grown.push(guess + letter);
    guesses = grown;
  }
  work.steps += guesses.length;
  if (letters * 2 < chunk.length - 1) return undefined;
  const risky =
    guesses.find((guess) => riskyWords.has(guess)) ??
    guesses.map((guess) => known(guess, vocabulary)).find((word) => word !== undefined);
  // "y0urs3lf" is no risky word, but the ones around it may be.
  return risky ?? (chunk.length > 4 ? guesses.find((guess) => vocabulary.common(guess)) : undefined);
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
const longestWord = 14;

/** Splits letters that were run together, or spelled one by one, into known words; undefined where they can't be. Linear. */
export function split(letters: string, vocabulary: Vocabulary, work: Work): string[] | undefined {
  const best: (readonly [cost: number, from: number] | undefined)[] = [[0, 0]];
  for (let end = 1; end <= letters.length; end++) {
    for (let from = Math.max(0, end - longestWord); from < end; from++) {
      work.steps++;
      const before = best[from];
      if (before === undefined) continue;
      const word = letters.slice(from, end);
      const price = priceOf(word, vocabulary);
      if (price === undefined) continue;
      const cost = before[0] + price;
      if (cost < (best[end]?.[0] ?? Infinity)) best[end] = [cost, from];
    }
  }
  if (best[letters.length] === undefined) return undefined;
  const words: string[] = [];
  for (let end = letters.length; end > 0; end = best[end]?.[1] ?? 0)
    words.push(letters.slice(best[end]?.[1] ?? 0, end));
  return words.reverse();
}

/** Few, long words win. */
function priceOf(word: string, vocabulary: Vocabulary): number | undefined {
  if (word.length === 1) return word === 'i' || word === 'a' || word === 'u' ? 3 : undefined;
  return persons.has(word) || vocabulary.risky(word) || vocabulary.common(word) ? 2 : undefined;
}

/** "killyourself": a risky word and a person in one. "therapist" and "cocktail" have no person in them. */
export function splitCompound(word: string, vocabulary: Vocabulary, work: Work): string[] | undefined {
  if (word.length < 6 || word.length > 40) return undefined;
  const words = split(word, vocabulary, work);
  if (words === undefined || words.length < 2) return undefined;
  const risky = words.some((part) => part.length > 2 && vocabulary.risky(part));
  return risky && words.some((part) => part.length > 1 && persons.has(part)) ? words : undefined;
}
