import { ANYTHING, charSet, charsOf, complement, subtract, union } from '../automaton/char-set.ts';
import type { CharSet } from '../automaton/char-set.ts';

const DIGIT: CharSet = [0x30, 0x39];
const WORD: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
const SPACE: CharSet = [0x09, 0x0d, 0x20, 0x20];
/** Non-ASCII whitespace of both ECMAScript and Unicode, each of which has one more character. */
const WIDE_SPACE = charSet([...charsOf('\u00a0\u1680\u2028\u2029\u202f\u205f\u3000'), 0x2000, 0x200a]);
const ECMA_SPACE = charSet([...SPACE, ...WIDE_SPACE, 0xfeff, 0xfeff]);
const UNICODE_SPACE = charSet([...SPACE, ...WIDE_SPACE, 0x85, 0x85]);
const LINE_TERMINATORS = charsOf('\n\r\u2028\u2029');

/** `.` in ECMAScript, which excludes four line terminators. Rust excludes only one of them. */
export const ANY_BUT_LINE_TERMINATORS = subtract(ANYTHING, LINE_TERMINATORS);

/**
 * The meaning of `\d`, `\w` and `\s`. In `ecma` (JSON Schema patterns), `\d` and `\w` are ASCII. In `rust`, they are Unicode classes, of
 * which we match only the ASCII part; their negations match no character that either dialect counts as a digit, letter or space. Within
 * brackets that negate or subtract, the `exact` Unicode classes are used, because subtracting only a part would leave too many
 * characters.
 */
export type Dialect = 'ecma' | 'rust';

const escaped = new Map<string, CharSet | undefined>();

/** The set of an escaped class; `undefined` for other letters. Returns the identical object each time, which is used as a cache key. */
export function escapedClass(letter: string, dialect: Dialect, exact: boolean): CharSet | undefined {
  const key = `${letter} ${dialect} ${exact}`;
  if (!escaped.has(key)) escaped.set(key, readEscaped(letter, dialect, exact));
  return escaped.get(key);
}

function readEscaped(letter: string, dialect: Dialect, exact: boolean): CharSet | undefined {
  switch (letter) {
    case 'd':
      return exact ? unicodeSet('Nd') : DIGIT;
    case 'w':
      return exact ? unicodeWord() : WORD;
    case 's':
      return dialect === 'ecma' ? ECMA_SPACE : exact ? UNICODE_SPACE : SPACE;
    case 'D':
      return complement(dialect === 'ecma' ? DIGIT : unicodeSet('Nd'));
    case 'W':
      return complement(dialect === 'ecma' ? WORD : unicodeWord());
    case 'S':
      return complement(dialect === 'ecma' ? ECMA_SPACE : union(ECMA_SPACE, UNICODE_SPACE));
    default:
      return undefined;
  }
}

const NAMED: Record<string, CharSet> = {
  alnum: [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  ascii: [0x00, 0x7f],
  blank: [0x09, 0x09, 0x20, 0x20],
  cntrl: [0x00, 0x1f, 0x7f, 0x7f],
  digit: DIGIT,
  graph: [0x21, 0x7e],
  lower: [0x61, 0x7a],
  print: [0x20, 0x7e],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: SPACE,
  upper: [0x41, 0x5a],
  word: WORD,
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

/** A class such as `[:alpha:]`, which is ASCII in every dialect. */
export function namedClass(name: string): CharSet | undefined {
  return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
}

const unicode = new Map<string, CharSet | undefined>();

/** The characters with a Unicode property; `undefined` if the JavaScript engine does not know the property. */
export function unicodeClass(property: string): CharSet | undefined {
  if (!unicode.has(property)) unicode.set(property, readProperty(property));
  return unicode.get(property);
}

function unicodeSet(property: string): CharSet {
  return unicodeClass(property) ?? ANYTHING;
}

let wordSet: CharSet | undefined;

function unicodeWord(): CharSet {
  return (wordSet ??= scan('\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}'));
}

function readProperty(property: string): CharSet | undefined {
  if (!/^[A-Za-z_]+(?:=[A-Za-z_]+)?$/.test(property)) return undefined;
  try {
    return scan(`\\p{${property}}`);
  } catch {
    // The engine does not know the property.
    return undefined;
  }
}

/** Ranges whose characters are tested one by one. All others are unassigned: either all characters of such a range match, or none. */
const ASSIGNED = [0, 0xd7ff, 0xe000, 0x3fffd, 0xe0000, 0xe0fff];
const BLOCK = 0x4000;

/** The characters of a class according to the JavaScript engine. */
function scan(members: string): CharSet {
  const runs = new RegExp(`[${members}]+`, 'gu');
  const flat: number[] = [];
  const scanBlock = (from: number, to: number): void => {
    const text = String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
    const units = from > 0xffff ? 2 : 1;
    for (const { 0: run, index } of text.matchAll(runs)) {
      const first = from + index / units;
      flat.push(first, first + run.length / units - 1);
    }
  };
  for (let i = 0; i < ASSIGNED.length; i += 2) {
    const to = ASSIGNED[i + 1] ?? 0;
    for (let from = ASSIGNED[i] ?? 0; from <= to;) {
      // No block contains both characters of one UTF-16 unit and of two.
      const last = Math.min(to, from + BLOCK - 1, from <= 0xffff ? 0xffff : to);
      scanBlock(from, last);
      from = last + 1;
    }
  }
  const addUniform = (from: number, to: number): void => {
    if (String.fromCodePoint(from).search(runs) >= 0) flat.push(from, to);
  };
  addUniform(0xe1000, 0xefffd);
  for (let plane = 0x3; plane <= 0x10; plane++) {
    const base = plane * 0x10000;
    if (plane !== 0x3 && plane !== 0xe) addUniform(base, base + 0xfffd);
    addUniform(base + 0xfffe, base + 0xfffe);
    addUniform(base + 0xffff, base + 0xffff);
  }
  return charSet(flat);
}
