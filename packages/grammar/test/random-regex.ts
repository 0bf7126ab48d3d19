import type { Random } from './random.ts';

const ATOMS = [
  'a',
  'b',
  'c',
  '0',
  ' ',
  'é',
  '😀',
  '\\d',
  '\\w',
  '\\s',
  '\\D',
  '\\W',
  '\\S',
  '.',
  '\\.',
  '\\n',
  '\\x41',
  '\\u{e9}',
  '\\\\',
  '"',
];
const BRACKETS = [
  '[abc]',
  '[^abc]',
  '[a-z0-9]',
  '[\\d_-]',
  '[^\\s"]',
  '[\\]\\\\]',
  '[à-ü]',
  '[.*+]',
  '[^\\w]',
  '\\p{Lu}',
  '[α-ω😀]',
];

/** A regular expression with the same meaning in ECMAScript (with the flag u) and in the dialect of the README. */
export function randomRegex(random: Random, depth = 3): string {
  const choices = Array.from({ length: random.chance(0.25) ? 2 + random.int(2) : 1 }, () =>
    Array.from({ length: random.int(4) }, () => randomPiece(random, depth)).join(''),
  );
  return choices.join('|');
}

function randomPiece(random: Random, depth: number): string {
  const kind = random.int(10);
  let atom = random.pick(ATOMS);
  if (kind >= 5 && kind < 8) atom = random.pick(BRACKETS);
  if (kind >= 8 && depth > 0) {
    const head = random.pick(['(', '(?:', '(?i:']);
    // Ignoring case is supported only for ASCII. `x|Y` is left out: after some thousand expressions, V8 (Node 24.21) ignores the flag there.
    const inner = head === '(?i:' ? random.pick(['ab', 'k[a-f]', 'xY', '[^k]']) : randomRegex(random, depth - 1);
    atom = `${head}${inner})`;
  }
  if (!random.chance(0.3)) return atom;
  return atom + random.pick(['*', '+', '?', '{2}', '{1,3}', '{0,2}', '{1,}']);
}

/** A text with one character removed, inserted or replaced. */
export function mutated(text: string, random: Random): string {
  const chars = Array.from(text);
  const at = random.int(chars.length + 1);
  const other = random.pick(['a', 'b', 'K', '0', ' ', '.', '"', '\\', '\n', 'Z', '(', '+', 'x']);
  chars.splice(at, random.int(2), ...(random.chance(0.6) ? [other] : []));
  return chars.join('');
}
