import type { CharSet } from '../automaton/char-set.ts';
import { complement } from '../automaton/char-set.ts';
import { escapedClass, unicodeClass } from './classes.ts';
import type { Reader } from './reader.ts';

export type Escape =
  { kind: 'point'; point: number } | { kind: 'class'; set: CharSet } | { kind: 'anchor'; anchor: 'start' | 'end' };

const CONTROLS: Record<string, number> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, a: 0x07 };

/** Parses an escape including its backslash. */
export function parseEscape(reader: Reader, inBracket: boolean): Escape {
  const { source } = reader;
  const start = reader.at;
  const letter = source[start + 1];
  if (letter === undefined) throw reader.error('nothing follows the backslash: write \\\\ for the character');
  reader.at += 2;
  const set = escapedClass(letter, reader.dialect, reader.exact);
  if (set !== undefined) return { kind: 'class', set };
  const control = Object.hasOwn(CONTROLS, letter) ? CONTROLS[letter] : undefined;
  if (control !== undefined) return { kind: 'point', point: control };
  if (letter === 'p' || letter === 'P') return property(reader, letter, start);
  if (letter === 'x' || letter === 'u' || letter === 'U') return hexadecimal(reader, letter, start);
  if (letter === '0' && !/\d/.test(source[reader.at] ?? '')) return { kind: 'point', point: 0 };
  if (/\d/.test(letter)) {
    throw reader.error('backreferences and octal escapes are not supported', 'unsupported', start);
  }
  if (letter === 'b' && inBracket && reader.dialect === 'ecma') return { kind: 'point', point: 0x08 };
  if (!inBracket && letter === 'A') return { kind: 'anchor', anchor: 'start' };
  if (!inBracket && letter === 'z') return { kind: 'anchor', anchor: 'end' };
  if (letter === 'b' || letter === 'B') {
    throw reader.error('word boundaries are not supported', 'unsupported', start);
  }
  if (/[A-Za-z]/.test(letter)) throw reader.error(`unknown escape \\${letter}`, 'syntax', start);
  const point = source.codePointAt(start + 1) ?? 0;
  if (point > 0xffff) reader.at++;
  return { kind: 'point', point };
}

function property(reader: Reader, letter: string, start: number): Escape {
  const found = /^(?:\{(\^?)([^{}]{1,64})\}|([A-Z]))/.exec(reader.source.slice(reader.at, reader.at + 70));
  const name = found?.[2] ?? found?.[3];
  if (found === null || name === undefined) throw reader.error('write a Unicode class as \\p{Letter}', 'syntax', start);
  reader.at += found[0].length;
  const set = unicodeClass(name) ?? unicodeClass(`Script=${name}`);
  if (set === undefined) throw reader.error(`"${name}" is not a known Unicode class`, 'unsupported', start);
  const negative = (letter === 'P') !== (found[1] === '^');
  return { kind: 'class', set: negative ? complement(set) : set };
}

function hexadecimal(reader: Reader, letter: string, start: number): Escape {
  const digits = letter === 'x' ? 2 : letter === 'u' ? 4 : 8;
  const found = new RegExp(`^(?:\\{([0-9A-Fa-f]{1,6})\\}|([0-9A-Fa-f]{${digits}}))`).exec(
    reader.source.slice(reader.at, reader.at + 10),
  );
  if (!found)
    throw reader.error(
      `write \\${letter} with ${digits} hexadecimal digits, or as \\${letter}{1f600}`,
      'syntax',
      start,
    );
  reader.at += found[0].length;
  let point = parseInt(found[1] ?? found[2] ?? '', 16);
  // In ECMAScript, characters above U+FFFF can be written as two surrogates.
  const low = /^\\u([dD][c-fC-F][0-9A-Fa-f]{2})/.exec(reader.source.slice(reader.at, reader.at + 6));
  if (point >= 0xd800 && point <= 0xdbff && low?.[1] !== undefined) {
    point = 0x10000 + (point - 0xd800) * 0x400 + (parseInt(low[1], 16) - 0xdc00);
    reader.at += 6;
  }
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
    throw reader.error('this number is not a Unicode character', 'syntax', start);
  }
  return { kind: 'point', point };
}
