import { GrammarError } from '../errors.ts';
import type { LarkToken } from './lexer.ts';

const SIMPLE_ESCAPES: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  b: '\b',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '/': '/',
};

/** The text of a string literal after its escapes have been decoded. */
export function parseString({ text, line, column }: LarkToken): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/gsu,
    (whole, ...found: unknown[]) => {
      const [x, u, long, letter] = found;
      const digits = [x, u, long].find((each) => typeof each === 'string');
      if (digits !== undefined) {
        const point = parseInt(digits, 16);
        if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
          throw new GrammarError('syntax', `${whole} is not a character`, { line, column });
        }
        return String.fromCodePoint(point);
      }
      if (typeof letter === 'string' && Object.hasOwn(SIMPLE_ESCAPES, letter)) return SIMPLE_ESCAPES[letter] ?? '';
      throw new GrammarError('syntax', `unknown escape ${whole} in a string; write \\\\ for a backslash`, {
        line,
        column,
      });
    },
  );
}
