import { ANYTHING, charRange } from '../automaton/char-set.ts';
import type { CharSet } from '../automaton/char-set.ts';
import { ANY_BUT_LINE_TERMINATORS } from './classes.ts';
import type { Dialect } from './classes.ts';
import { createReader } from './reader.ts';
import type { Reader } from './reader.ts';
import { parseBracket } from './bracket.ts';
import { parseEscape } from './escape.ts';
import { foldCase } from './fold.ts';
import { alt, chars, EMPTY, repeat, seq } from './pattern.ts';
import type { Pattern } from './pattern.ts';

export type Flags = { ignoreCase?: boolean; dotAll?: boolean };

const MAX_LENGTH = 50_000;
const MAX_NESTING = 200;
const MAX_COUNT = 10_000;

/** Parses a regular expression in one of the dialects that the README describes. */
export function parsePattern(source: string, dialect: Dialect, flags: Flags = {}): Pattern {
  const reader = createReader(source, dialect);
  if (source.length > MAX_LENGTH)
    throw reader.error(`an expression can have at most ${MAX_LENGTH} characters`, 'limit');
  const pattern = parseChoices(reader, { ...flags }, 0);
  if (reader.at < source.length) throw reader.error('unmatched ")": write \\) for the character');
  return pattern;
}

function parseChoices(reader: Reader, flags: Flags, depth: number): Pattern {
  if (depth > MAX_NESTING) throw reader.error(`groups can be nested at most ${MAX_NESTING} levels deep`, 'limit');
  const choices: Pattern[] = [];
  for (;;) {
    choices.push(parseSequence(reader, flags, depth));
    if (reader.source[reader.at] !== '|') return alt(...choices);
    reader.at++;
  }
}

function parseSequence(reader: Reader, flags: Flags, depth: number): Pattern {
  const items: Pattern[] = [];
  for (;;) {
    const next = reader.source[reader.at];
    if (next === undefined || next === '|' || next === ')') return seq(...items);
    items.push(parseRepeats(reader, parseAtom(reader, flags, depth), next));
  }
}

function parseRepeats(reader: Reader, atom: Pattern, first: string): Pattern {
  const start = reader.at;
  const counts = parseCount(reader);
  if (counts === undefined) return atom;
  if (first === '^' || first === '$') throw reader.error('an anchor cannot be repeated', 'syntax', start);
  const [min, max] = counts;
  const after = reader.source[reader.at];
  if (after === '?') {
    throw reader.error('lazy repetition is not supported: the whole text must match, so remove the "?"', 'unsupported');
  }
  if (after === '+') throw reader.error('possessive repetition is not supported: remove the "+"', 'unsupported');
  if (after === '*' || (after === '{' && /^\{\d/.test(reader.source.slice(reader.at, reader.at + 2)))) {
    throw reader.error('a repetition cannot be repeated: put the first one in a group');
  }
  return repeat(atom, min, max);
}

function parseCount(reader: Reader): [min: number, max: number] | undefined {
  const next = reader.source[reader.at];
  if (next === '*' || next === '+' || next === '?') {
    reader.at++;
    return [next === '+' ? 1 : 0, next === '?' ? 1 : Infinity];
  }
  if (next !== '{') return undefined;
  const found = /^\{(\d+)(?:(,)(\d*))?\}/.exec(reader.source.slice(reader.at, reader.at + 32));
  if (!found) throw reader.error('"{" starts a count such as {2}, {2,} or {2,5}: write \\{ for the character');
  const min = Number(found[1]);
  const max = found[2] === undefined ? min : found[3] === '' ? Infinity : Number(found[3]);
  if (min > max) throw reader.error(`the minimum of the count {${min},${max}} is greater than its maximum`);
  if (min > MAX_COUNT || (max !== Infinity && max > MAX_COUNT)) {
    throw reader.error(`a count can be at most ${MAX_COUNT}`, 'limit');
  }
  reader.at += found[0].length;
  return [min, max];
}

function parseAtom(reader: Reader, flags: Flags, depth: number): Pattern {
  const { source } = reader;
  const char = source[reader.at] ?? '';
  switch (char) {
    case '(':
      return parseGroup(reader, flags, depth);
    case '[':
      return chars(parseBracket(reader, flags.ignoreCase === true));
    case '.':
      reader.at++;
      return chars(flags.dotAll === true ? ANYTHING : ANY_BUT_LINE_TERMINATORS);
    case '^':
      reader.at++;
      return { kind: 'start' };
    case '$':
      reader.at++;
      return { kind: 'end' };
    case '*':
    case '+':
    case '?':
      throw reader.error(`nothing to repeat before "${char}": write \\${char} for the character`);
    case '{':
      throw reader.error('nothing to repeat before "{": write \\{ for the character');
    case '\\': {
      const escape = parseEscape(reader, false);
      if (escape.kind === 'anchor') return { kind: escape.anchor };
      const set = escape.kind === 'class' ? escape.set : charRange(escape.point);
      return chars(flags.ignoreCase === true ? folded(reader, set, escape.kind === 'class') : set);
    }
    default: {
      const point = source.codePointAt(reader.at) ?? 0;
      if (point >= 0xd800 && point <= 0xdfff) throw reader.error('a lone surrogate is not a character');
      const at = reader.at;
      reader.at += point > 0xffff ? 2 : 1;
      const set = charRange(point);
      if (flags.ignoreCase !== true) return chars(set);
      const both = foldCase(set);
      if (both === undefined) throw reader.error(NO_FOLD, 'unsupported', at);
      return chars(both);
    }
  }
}

const NO_FOLD = 'ignoring case is supported only for ASCII letters: write both cases of other letters, as in [éÉ]';

/** Adds the other case of ASCII letters. A class that also contains other cased letters is not changed. */
function folded(reader: Reader, set: CharSet, isClass: boolean): CharSet {
  const both = foldCase(set);
  if (both !== undefined) return both;
  if (isClass) return set;
  throw reader.error(NO_FOLD, 'unsupported');
}

function parseGroup(reader: Reader, flags: Flags, depth: number): Pattern {
  const opened = reader.at;
  reader.at++;
  let inner = flags;
  if (reader.source[reader.at] === '?') {
    const rest = reader.source.slice(reader.at, reader.at + 80);
    if (/^\?(?:=|!|<=|<!)/.test(rest)) {
      throw reader.error('lookaround is not supported: describe the text itself', 'unsupported', opened);
    }
    const head = /^\?(?:P?<[A-Za-z_][A-Za-z0-9_.]*>|([A-Za-z]*)(?:-([A-Za-z]+))?([:)]))/.exec(rest);
    if (!head)
      throw reader.error('a group must start with "(", "(?:", "(?<name>" or flags such as "(?i)"', 'syntax', opened);
    reader.at += head[0].length;
    inner = withFlags(reader, flags, head[1] ?? '', head[2] ?? '', opened);
    if (head[3] === ')') {
      // `(?i)` applies to the rest of its group.
      Object.assign(flags, inner);
      return EMPTY;
    }
  }
  const pattern = parseChoices(reader, { ...inner }, depth + 1);
  if (reader.source[reader.at] !== ')') throw reader.error('the group is not closed: ")" is missing', 'syntax', opened);
  reader.at++;
  return pattern;
}

function withFlags(reader: Reader, flags: Flags, on: string, off: string, at: number): Flags {
  const changed = { ...flags };
  for (const [letters, value] of [
    [on, true],
    [off, false],
  ] as const) {
    for (const letter of letters) {
      if (letter === 'i') changed.ignoreCase = value;
      else if (letter === 's') changed.dotAll = value;
      else throw reader.error(`the flag "${letter}" is not supported: only i and s are`, 'unsupported', at);
    }
  }
  return changed;
}
