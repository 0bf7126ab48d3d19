import { charRange } from '../automaton/char-set.ts';
import type { CharSet } from '../automaton/char-set.ts';

/** A regular expression over code points. `start` and `end` match the empty text at the start and end of the whole text. */
export type Pattern =
  | { kind: 'set'; set: CharSet }
  | { kind: 'seq'; items: readonly Pattern[] }
  | { kind: 'alt'; items: readonly Pattern[] }
  | { kind: 'repeat'; item: Pattern; min: number; max: number }
  | { kind: 'start' }
  | { kind: 'end' };

export const EMPTY: Pattern = { kind: 'seq', items: [] };

export function chars(set: CharSet): Pattern {
  return { kind: 'set', set };
}

export function seq(...items: readonly Pattern[]): Pattern {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : { kind: 'seq', items };
}

export function alt(...items: readonly Pattern[]): Pattern {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : { kind: 'alt', items };
}

export function repeat(item: Pattern, min: number, max = Infinity): Pattern {
  return { kind: 'repeat', item, min, max };
}

export function literal(text: string): Pattern {
  return seq(...Array.from(text, (char) => chars(charRange(char.codePointAt(0) ?? 0))));
}
