import { usageError } from '../cli-error.ts';

/** Splits a command line into words, with the quotes and backslashes of a shell but no other shell syntax. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word = '';
  // Distinguishes an empty word in quotes from no word.
  let hasWord = false;
  let quote: '"' | "'" | undefined;
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (character === '\\' && quote === '"' && '"\\'.includes(line.charAt(index + 1)))
        word += line.charAt(++index);
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      hasWord = true;
    } else if (character === '\\' && index + 1 < line.length) {
      word += line.charAt(++index);
      hasWord = true;
    } else if (/\s/.test(character)) {
      if (hasWord) words.push(word);
      word = '';
      hasWord = false;
    } else {
      word += character;
      hasWord = true;
    }
  }
  if (quote !== undefined) throw usageError(`Missing closing quote: ${line}`);
  if (hasWord) words.push(word);
  return words;
}
