import { meaningOf, pictograms } from './meanings.ts';
import type { Known } from './meanings.ts';

export interface Token {
  readonly word: string;
  readonly known: Known | undefined;
}

/** Characters of a prompt that are read. The caption shows fewer still. */
const readAtMost = 4000;
const phraseAtMost = 3;

/** The prompt as it may be shown: one line, no control characters, none that turn the direction of what surrounds them. */
export function shownText(prompt: string): string {
  return prompt
    .slice(0, readAtMost)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim();
}

/** Words of one part of a prompt, the longest known phrase first, with what they mean. */
export function tokensOf(text: string): readonly Token[] {
  const words = lettersOf(text);
  const tokens: Token[] = [];
  for (let at = 0; at < words.length;) {
    let length = Math.min(phraseAtMost, words.length - at);
    let token: Token | undefined;
    for (; length > 0 && !token; length--) {
      const word = words.slice(at, at + length).join('-');
      const known = meaningOf(word);
      if (known) token = { word, known };
    }
    at += token ? length + 1 : 1;
    tokens.push(token ?? { word: words[at - 1] ?? '', known: undefined });
  }
  return tokens;
}

function lettersOf(text: string): readonly string[] {
  const spelled = text.replace(/\p{Extended_Pictographic}/gu, (sign) => ` ${pictograms[sign] ?? ''} `);
  return spelled.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}

export interface Clause {
  readonly text: string;
  /** Said to come after the one before it: `then`, `next`, `cut to`, … */
  readonly next: boolean;
}

const sequels =
  /^(?:and\s+|but\s+)?(?:then|next|after that|afterwards|later|finally|suddenly|cut to|meanwhile|second shot|third shot|last shot)\b/i;
const clausesAtMost = 24;

/** The sentences of a prompt, and parts that begin with a word of sequence. */
export function clausesOf(text: string): readonly Clause[] {
  return text
    .split(
      /(?<=[.!?…;。！？])\s+|\s*(?:,|\s-|—|–)?\s+(?=(?:and\s+|but\s+)?(?:then|cut to|after that|afterwards|finally|meanwhile)\b)/iu,
    )
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(part))
    .slice(0, clausesAtMost)
    .map((part) => ({ text: part, next: sequels.test(part) }));
}
