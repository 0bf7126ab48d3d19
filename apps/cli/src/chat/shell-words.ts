import { usageFailure } from '../failure.ts';

/** The words of a command line, quotes and backslashes as a shell has them, and nothing else that a shell does. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word = '';
  // An empty word in quotes is one too.
  let begun = false;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (character === '\\' && quote === '"' && '"\\'.includes(line.charAt(at + 1))) word += line.charAt(++at);
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      begun = true;
    } else if (character === '\\' && at + 1 < line.length) {
      word += line.charAt(++at);
      begun = true;
    } else if (/\s/.test(character)) {
      if (begun) words.push(word);
      word = '';
      begun = false;
    } else {
      word += character;
      begun = true;
    }
  }
  if (quote !== undefined) throw usageFailure(`A quote is not closed: ${line}`);
  if (begun) words.push(word);
  return words;
}
