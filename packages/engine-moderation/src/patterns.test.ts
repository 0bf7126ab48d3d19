import { expect, test } from 'vitest';
import { indexOf, matches } from './patterns.ts';

const classes = { pet: new Set(['cat', 'dog']) };
const found = (line: string, text: string) =>
  matches(text.split(' '), indexOf([[line, line]], classes), { steps: 0 }).map(({ from, to }) => [from, to]);

test.each([
  ['feed @pet', 'please feed cat', [[1, 3]]],
  ['feed|pat @pet', 'pat dog', [[0, 2]]],
  [
    'feed the? @pet',
    'feed the cat feed dog',
    [
      [0, 3],
      [3, 5],
    ],
  ],
  ['feed *2 @pet', 'feed my old cat', [[0, 4]]],
  ['feed *2 @pet', 'feed my very old cat', []],
  ['feed *3 @pet', 'feed me . the cat', []],
  ['feed *3 @pet', 'feed me , the cat', [[0, 5]]],
  ['feed *2', 'feed', [[0, 1]]],
])('finds %j in %j at %j', (line, text, where) => {
  expect(found(line, text)).toEqual(where);
});

test('rejects a line that does not start with a word or has an unknown class', () => {
  expect(() => indexOf([['*2 cat', 1]], classes)).toThrow('A pattern starts with a word: *2 cat');
  expect(() => indexOf([['@fish', 1]], classes)).toThrow('No class @fish');
});
