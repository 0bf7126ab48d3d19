import { expect, it } from 'vitest';
import { compileRegex } from '../index.ts';
import { MatcherState } from './state.ts';
import type { Thread } from './call-stack.ts';
import { areEqual, hashOf, sortUnique } from './thread-lists.ts';

function threadsOf(ids: readonly number[]): Thread[] {
  const start = compileRegex('a').start();
  if (!(start instanceof MatcherState)) throw new TypeError('not a state of the matcher');
  const [thread] = start.startedThreads();
  if (thread === undefined) throw new RangeError('no thread');
  const byId = new Map(ids.map((id) => [id, { ...thread, id }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
const idsOf = (threads: readonly Thread[]): number[] => threads.map(({ id }) => id);

it('sorts threads by id and removes duplicates', () => {
  for (const ids of [[], [7], [1, 2, 3], [3, 1, 2, 1], [2, 2], [5, 4, 4, 5, 1]]) {
    const threads = threadsOf(ids);
    sortUnique(threads);
    expect(idsOf(threads)).toEqual([...new Set(ids)].sort((a, b) => a - b));
  }
});

it('gives equal lists equal hashes, which are small integers', () => {
  const threads = threadsOf([1, 5, 2 ** 30]);
  expect(areEqual(threads, [...threads])).toBe(true);
  expect(hashOf(threads)).toBe(hashOf([...threads]));
  expect(Math.abs(hashOf(threads))).toBeLessThanOrEqual(2 ** 30);
  expect(areEqual(threads, threads.slice(1))).toBe(false);
  expect(areEqual(threads, threadsOf([1, 5, 2 ** 30]))).toBe(false);
});
