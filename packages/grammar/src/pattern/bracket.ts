import { charRange, charSet, complement, intersect, subtract } from '../automaton/char-set.ts';
import type { CharSet } from '../automaton/char-set.ts';
import { namedClass } from './classes.ts';
import { parseEscape } from './escape.ts';
import { bothCases, foldCase, foldExcluded } from './fold.ts';
import type { Reader } from './reader.ts';

const MAX_NESTING = 50;

/** Parses a bracket expression with nested brackets, `&&` and `--`. The reader must be at the opening bracket. */
export function parseBracket(reader: Reader, ignoreCase: boolean): CharSet {
  const opened = reader.at;
  const set = parseLevel(reader, ignoreCase, 0);
  if (reader.dialect === 'ecma' || !/\[\^|--/.test(reader.source.slice(opened, reader.at))) return set;
  reader.at = opened;
  reader.exact = true;
  const again = parseLevel(reader, ignoreCase, 0);
  reader.exact = false;
  return again;
}

function parseLevel(reader: Reader, ignoreCase: boolean, depth: number): CharSet {
  const opened = reader.at;
  if (depth > MAX_NESTING) throw reader.error(`brackets can be nested at most ${MAX_NESTING} levels deep`, 'limit');
  reader.at++;
  const negative = reader.source[reader.at] === '^';
  if (negative) reader.at++;
  let set = parseUnion(reader, ignoreCase, depth, opened, true);
  for (;;) {
    const next = reader.source.slice(reader.at, reader.at + 2);
    if (next !== '&&' && next !== '--') break;
    reader.at += 2;
    const other = parseUnion(reader, ignoreCase, depth, opened, false);
    set = next === '&&' ? intersect(set, other) : subtract(set, other);
  }
  reader.at++;
  if (ignoreCase) {
    const both = negative ? foldExcluded(set) : bothCases(set);
    if (negative && foldCase(set) === undefined) {
      const reason =
        'ignoring case is supported only for ASCII letters: remove the flag i and write both cases of other letters';
      throw reader.error(reason, 'unsupported', opened);
    }
    set = both;
  }
  const result = negative ? complement(set) : set;
  if (result.length === 0) throw reader.error('no character matches the brackets', 'syntax', opened);
  return result;
}

function parseUnion(reader: Reader, ignoreCase: boolean, depth: number, opened: number, first: boolean): CharSet {
  const { source } = reader;
  const flat: number[] = [];
  const classes = new Set<CharSet>();
  for (let isFirst = first; ; isFirst = false) {
    const next = source[reader.at];
    if (next === undefined) throw reader.error('the bracket is not closed: "]" is missing', 'syntax', opened);
    const two = source.slice(reader.at, reader.at + 2);
    if (reader.dialect === 'rust' && !isFirst && (two === '&&' || (two === '--' && source[reader.at + 2] !== ']'))) {
      return charSet(flat);
    }
    if (next === ']') {
      // In ECMAScript, "[]" is an empty class; in Rust, "]" is its first character.
      if (isFirst) throw reader.error('empty brackets: write \\] for the character', 'syntax');
      return charSet(flat);
    }
    if (next === '[' && reader.dialect === 'rust') {
      flat.push(...counted(reader, parseNested(reader, ignoreCase, depth)));
      continue;
    }
    const from = parseMember(reader);
    if (typeof from !== 'number') {
      // A repeated class adds nothing, but can have a thousand ranges.
      if (!classes.has(from)) flat.push(...counted(reader, from));
      classes.add(from);
      continue;
    }
    const isRange = source[reader.at] === '-' && source[reader.at + 1] !== ']' && source[reader.at + 1] !== undefined;
    if (!isRange || (reader.dialect === 'rust' && source[reader.at + 1] === '-')) {
      flat.push(from, from);
      continue;
    }
    const at = reader.at;
    reader.at++;
    const to = parseMember(reader);
    if (typeof to !== 'number')
      throw reader.error('a range must end in a single character: write \\- for the hyphen', 'syntax', at);
    if (to < from) throw reader.error('the start of the range is after its end', 'syntax', at);
    flat.push(...charRange(from, to));
  }
}

/** Maximum number of ranges: `\p{L}` has hundreds, and a short expression can contain it thousands of times. */
const MAX_RANGES = 150_000;

function counted(reader: Reader, set: CharSet): CharSet {
  reader.ranges += set.length / 2;
  if (reader.ranges > MAX_RANGES) throw reader.error('the classes within brackets are too large in total', 'limit');
  return set;
}

function parseNested(reader: Reader, ignoreCase: boolean, depth: number): CharSet {
  const named = /^\[:(\^?)([a-z]+):\]/.exec(reader.source.slice(reader.at, reader.at + 20));
  if (!named) return parseLevel(reader, ignoreCase, depth + 1);
  const set = namedClass(named[2] ?? '');
  if (set === undefined) throw reader.error(`[:${named[2] ?? ''}:] is not a known class`, 'unsupported');
  reader.at += named[0].length;
  return named[1] === '^' ? complement(set) : set;
}

/** Parses a character or an escaped class. */
function parseMember(reader: Reader): number | CharSet {
  if (reader.source[reader.at] === '\\') {
    const escape = parseEscape(reader, true);
    if (escape.kind === 'class') return escape.set;
    return escape.kind === 'point' ? escape.point : 0;
  }
  const point = reader.source.codePointAt(reader.at) ?? 0;
  if (point >= 0xd800 && point <= 0xdfff) throw reader.error('a lone surrogate is not a character');
  reader.at += point > 0xffff ? 2 : 1;
  return point;
}
