import { expect, test } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

test('drops the entries that were set the longest ago when all together are too large', () => {
  const map = createBoundedMap<string, number>(10);
  map.set('a', 1, 4);
  map.set('b', 2, 4);
  map.set('a', 3, 5);
  expect(['a', 'b'].map(map.get)).toEqual([3, 2]);
  map.set('c', 4);
  expect(['a', 'b', 'c'].map(map.get)).toEqual([3, 2, 4]);
  map.set('d', 5);
  expect(['a', 'b', 'c', 'd'].map(map.get)).toEqual([3, undefined, 4, 5]);
  map.set('e', 6, 11);
  expect(['a', 'c', 'd', 'e'].map(map.get)).toEqual([undefined, undefined, undefined, undefined]);
});
