import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { distance, nearest } from './nearest.ts';

const names = ['n', 'chat', 'completions', 'moderate', 'batches', 'upload', 'files', 'videos', 'models'];

test.each([
  ['caht', 'chat'],
  ['file', 'files'],
  ['uplaod', 'upload'],
  ['CHAT', 'chat'],
  ['compl', 'completions'],
  ['moderation', 'moderate'],
])('suggests for %s the name %s', (word, expected) => {
  expect(nearest(word, names)).toBe(expected);
});

test.each(['xyz', 'me', 'zzzzzzzz', 'x', ''])('suggests nothing for "%s"', (word) => {
  expect(nearest(word, names)).toBeUndefined();
});

test('suggests nothing for a word of a million letters, and does not compare it', () => {
  const word = 'chat'.padEnd(1_000_000, 't');
  const names = Array.from({ length: 1000 }, () => word);
  expect(nearest(word, names)).toBeUndefined();
});

test('the distance is symmetric, 0 only for the same word, and 1 for swapped neighbors', () => {
  expect(distance('ab', 'ba')).toBe(1);
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(distance(a, b)).toBe(distance(b, a));
      expect(distance(a, b) === 0).toBe(a === b);
      expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});
