import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sentences } from './sentences.ts';

test('a sentence is complete when something follows its end', () => {
  const cut = sentences();
  expect(cut.add('Pi is 3.')).toEqual([]);
  expect(cut.add('14. So')).toEqual(['Pi is 3.14. ']);
  expect(cut.add(' "it" is!" One\nTwo')).toEqual(['So "it" is!" ', 'One\n']);
  expect(cut.end()).toEqual(['Two']);
  expect(cut.end()).toEqual([]);
});

test('a sentence without an end is split between words', () => {
  const cut = sentences();
  const pieces = [...cut.add('word '.repeat(100)), ...cut.add('x'.repeat(700)), ...cut.end()];
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(301);
  expect(pieces[0]?.endsWith('word ')).toBe(true);
});

test('a text is complete, however it is split into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '.', '!', '\n', '5') })), (pieces) => {
      const cut = sentences();
      const all = [...pieces.flatMap((piece) => cut.add(piece)), ...cut.end()].join('');
      expect(all.replace(/\s/g, '')).toBe(pieces.join('').replace(/\s/g, ''));
    }),
  );
});
