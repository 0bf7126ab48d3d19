import { expect, test } from 'vitest';
import { attemptOrder } from './attempt-order.ts';

/** A deterministic generator (mulberry32), so that each run draws the same servers. */
function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const a = { name: 'a', weight: 1 };
const b = { name: 'b', weight: 3 };
const c = { name: 'c', weight: 0 };
const names = (order: readonly { name: string }[]): string => order.map(({ name }) => name).join('');

test('draws servers by weight', () => {
  const random = seeded(1);
  const first = { a: 0, b: 0 };
  for (let index = 0; index < 10_000; index++) {
    if (attemptOrder([a, b], [], random)[0] === a) first.a += 1;
    else first.b += 1;
  }
  expect(first.a / 10_000).toBeGreaterThan(0.235);
  expect(first.a / 10_000).toBeLessThan(0.265);
});

test('contains each server once, the fallback last in its configured order', () => {
  const random = seeded(2);
  const d = { name: 'd', weight: 100 };
  const orders = new Set(Array.from({ length: 200 }, () => names(attemptOrder([a, b], [c, d], random))));
  expect(orders).toEqual(new Set(['abcd', 'bacd']));
});

test('draws servers of weight 0 after all others', () => {
  const random = seeded(3);
  const orders = new Set(Array.from({ length: 200 }, () => names(attemptOrder([c, a, b], [], random))));
  expect(orders).toEqual(new Set(['abc', 'bac']));
});
