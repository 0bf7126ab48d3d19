import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';

const first = (name: string, count: number): number[] => {
  const random = seededRandom(name);
  return Array.from({ length: count }, random);
};

test('returns the same numbers for the same name, and different ones for another name', () => {
  expect(first('seed 1 0', 20)).toEqual(first('seed 1 0', 20));
  expect(first('seed 1 0', 20)).not.toEqual(first('seed 1 1', 20));
});

test('returns uniformly distributed numbers from 0 to below 1, also for names that differ in one digit', () => {
  const numbers = [
    ...first('seed 7 0', 5000),
    ...Array.from({ length: 5000 }, (_, i) => first(`seed ${i} 0`, 1)[0] ?? -1),
  ];
  expect(numbers.every((x) => x >= 0 && x < 1)).toBe(true);
  for (const half of [numbers.slice(0, 5000), numbers.slice(5000)]) {
    const bins = Array.from({ length: 10 }, (_, bin) => half.filter((x) => Math.floor(x * 10) === bin).length);
    // Chi square with 9 degrees of freedom: the probability of more than 33.7 is 1 in 10,000.
    expect(bins.reduce((sum, n) => sum + (n - 500) ** 2 / 500, 0)).toBeLessThan(33.7);
  }
});
