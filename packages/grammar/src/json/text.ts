import { charsOf, intersect, subtract, ANYTHING } from '../automaton/char-set.ts';
import type { CharSet } from '../automaton/char-set.ts';
import { utf8Sequences } from '../automaton/utf8.ts';
import type { ByteSequence } from '../automaton/utf8.ts';
import { alt, chars, literal, repeat, seq } from '../pattern/pattern.ts';
import type { Pattern } from '../pattern/pattern.ts';

/** Characters that must be escaped within a JSON string. */
const ESCAPED: CharSet = [0x00, 0x1f, 0x22, 0x22, 0x5c, 0x5c];
const ANY_PLAIN = subtract(ANYTHING, ESCAPED);

/** The bytes of characters within a JSON string, each in a single form: that of `JSON.stringify`. */
export function jsonSequences(set: CharSet): ByteSequence[] {
  const out = utf8Sequences(subtract(set, ESCAPED));
  const escaped = intersect(set, ESCAPED);
  for (let i = 0; i < escaped.length; i += 2) {
    for (let point = escaped[i] ?? 0; point <= (escaped[i + 1] ?? 0); point++) {
      const escape = JSON.stringify(String.fromCodePoint(point)).slice(1, -1);
      out.push(Array.from(escape, (char): [number, number] => [char.charCodeAt(0), char.charCodeAt(0)]));
    }
  }
  return out;
}

const QUOTE = literal('"');

const HEX = chars(charsOf('0123456789abcdefABCDEF'));
const hex = (digits: string): Pattern => chars(charsOf(digits));

/** Any JSON string in UTF-8, with all escapes. Escaped surrogates occur only in pairs. */
export const FREE_STRING: Pattern = seq(
  QUOTE,
  repeat(
    alt(
      chars(ANY_PLAIN),
      seq(
        literal('\\'),
        alt(
          chars(charsOf('"\\/bfnrt')),
          seq(
            literal('u'),
            alt(
              seq(hex('0123456789abcefABCEF'), repeat(HEX, 3, 3)),
              seq(hex('dD'), hex('01234567'), repeat(HEX, 2, 2)),
              seq(
                hex('dD'),
                hex('89abAB'),
                repeat(HEX, 2, 2),
                literal('\\u'),
                hex('dD'),
                hex('cdefCDEF'),
                repeat(HEX, 2, 2),
              ),
            ),
          ),
        ),
      ),
    ),
    0,
  ),
  QUOTE,
);
