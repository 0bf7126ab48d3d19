import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';

const first = (seed: number | bigint): number[] => Array.from({ length: 5 }, seededRandom(seed));

test('all bits of a 64-bit seed affect the numbers, and a number and a bigint of the same value are the same seed', () => {
  expect(first(7n)).toEqual(first(7));
  expect(first(-1n)).toEqual(first(-1));
  const seeds = [0n, ...Array.from({ length: 64 }, (_, bit) => BigInt.asIntN(64, 1n << BigInt(bit)))];
  expect(new Set(seeds.map((seed) => first(seed).join())).size).toBe(65);
});
