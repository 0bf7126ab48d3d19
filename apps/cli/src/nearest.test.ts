import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { distance, nearest } from './nearest.ts';

const names = ['chat', 'completions', 'moderate', 'batch', 'upload', 'files', 'video', 'models'];

test.each([
  ['caht', 'chat'],
  ['file', 'files'],
  ['uplaod', 'upload'],
  ['CHAT', 'chat'],
  ['compl', 'completions'],
  ['moderation', 'moderate'],
])('%s was meant as %s', (word, meant) => {
  expect(nearest(word, names)).toBe(meant);
});

test.each(['xyz', 'me', 'zzzzzzzz', ''])('nothing is guessed for "%s"', (word) => {
  expect(nearest(word, names)).toBeUndefined();
});

test('a distance is symmetric, 0 for the same word alone, and 1 for neighbours that are swapped', () => {
  expect(distance('ab', 'ba')).toBe(1);
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(distance(a, b)).toBe(distance(b, a));
      expect(distance(a, b) === 0).toBe(a === b);
      expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});
