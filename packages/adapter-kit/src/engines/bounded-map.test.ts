import { expect, test } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

test('evicts the least recently set entries when all together are too large', () => {
  const map = createBoundedMap<string, number>(10);
  map.set('a', 1, 4);
  map.set('b', 2, 4);
  map.set('a', 3, 5);
  expect(['a', 'b'].map(map.get)).toEqual([3, 2]);
  map.set('c', 4);
  expect(['a', 'b', 'c'].map(map.get)).toEqual([3, 2, 4]);
  map.set('d', 5);
  expect(['a', 'b', 'c', 'd'].map(map.get)).toEqual([3, undefined, 4, 5]);
});

test('evicts several entries at once, until an eighth of its size is free', () => {
  const map = createBoundedMap<number, string>(16);
  const keys = Array.from({ length: 17 }, (_, key) => key);
  for (const key of keys) map.set(key, 'value');
  expect(keys.filter((key) => map.get(key) === undefined)).toEqual([0, 1, 2]);
});

test('keeps a value of its maximum size, which evicts all others', () => {
  const map = createBoundedMap<string, number>(10);
  map.set('a', 1);
  map.set('b', 2, 10);
  expect(['a', 'b'].map(map.get)).toEqual([undefined, 2]);
});

test('a value larger than the maximum removes only the previous value of its key', () => {
  const map = createBoundedMap<string, number>(10);
  map.set('a', 1);
  map.set('b', 2);
  map.set('b', 3, 11);
  expect(['a', 'b'].map(map.get)).toEqual([1, undefined]);
  map.set('c', 4, 9);
  expect(['a', 'c'].map(map.get)).toEqual([1, 4]);
});
