import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonLine, oneLine, withoutControls } from './controls.ts';

const hostile = fc.array(
  fc.constantFrom(
    'a',
    'é',
    '日',
    '\n',
    '\t',
    '\u001b',
    '[',
    ']',
    '0;title',
    '31m',
    '\u0007',
    '\u001b\\',
    '\u009b',
    '\u009d',
    '\r',
    '\b',
    'P',
    '(',
    'm',
  ),
);

describe('Text of a server', () => {
  test.each([
    ['a color', 'a\u001b[31mred\u001b[0m', 'ared'],
    ['a title', '\u001b]0;owned\u0007text', 'text'],
    ['the clipboard', 'a\u001b]52;c;ZXZpbA==\u001b\\b', 'ab'],
    ['a link', '\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['a moved cursor', 'safe\u001b[1A\u001b[2Kfake', 'safefake'],
    ['a one-byte control', 'x\u009b31my', 'xy'],
    ['an overwritten line', 'good\rbad\b\b', 'goodbad'],
    ['a charset', '\u001b(0abc', 'abc'],
  ])('is freed of %s', (_, given, left) => {
    expect(withoutControls(given)).toBe(left);
  });

  test('keeps newlines, tabs and all letters', () => {
    expect(withoutControls('a\n\tb é 日本 👩‍👩‍👧 [31m]')).toBe('a\n\tb é 日本 👩‍👩‍👧 [31m]');
  });

  test('contains no control characters, wherever the chunks are split', () => {
    fc.assert(
      fc.property(hostile, fc.nat(5), (pieces, size) => {
        const text = pieces.join('');
        let cut = '';
        for (let at = 0; at < text.length; at += size + 1) cut += withoutControls(text.slice(at, at + size + 1));
        expect(cut).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
    );
  });

  test('is a single line in a table', () => {
    expect(oneLine(' a\n\u001b[2Jb\t c ')).toBe('a b c');
  });
});

test('JSON has the same value, without control characters', () => {
  fc.assert(
    fc.property(hostile, (pieces) => {
      const value = { text: pieces.join('') };
      expect(JSON.parse(jsonLine(value))).toEqual(value);
      expect(jsonLine(value)).not.toMatch(/\p{Cc}/u);
    }),
  );
});
