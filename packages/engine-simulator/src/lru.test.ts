import { expect, test } from 'vitest';
import { lru } from './lru.ts';

test('forgets what was not asked for longest, when there are too many entries', () => {
  const cache = lru<number>(2, 100);
  cache.set('a', 1, 1);
  cache.set('b', 2, 1);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3, 1);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
});

test('stays below its weight, and keeps nothing that is heavier alone', () => {
  const cache = lru<number>(10, 5);
  cache.set('a', 1, 3);
  cache.set('b', 2, 3);
  cache.set('heavy', 3, 6);
  expect([cache.get('a'), cache.get('b'), cache.get('heavy')]).toEqual([undefined, 2, undefined]);
  cache.set('b', 4, 1);
  cache.set('c', 5, 4);
  expect([cache.get('b'), cache.get('c')]).toEqual([4, 5]);
});
