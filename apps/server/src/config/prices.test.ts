import { expect, test } from 'vitest';
import { prices } from './prices.ts';

const isValid = (price: object) => prices.safeParse({ models: { a: price } }).success;

test('a price has input and output, or neither', () => {
  expect(isValid({ input: 1, output: 2 })).toBe(true);
  expect(isValid({ videoSecond: 0.1 })).toBe(true);
  expect(isValid({ request: 0.1 })).toBe(true);
  expect(isValid({ input: 1 })).toBe(false);
  expect(isValid({ output: 1, videoSecond: 0.1 })).toBe(false);
});
