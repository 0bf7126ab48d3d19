import { expect, test } from 'vitest';
import { compareFirstTokens } from './first-token-times.ts';
import type { FirstTokenTimes } from './first-token-times.ts';

function startComparison() {
  let nowMs = 0;
  const changes: boolean[] = [];
  const comparison = compareFirstTokens(() => nowMs);
  const observed = comparison.join((isSlow) => changes.push(isSlow));
  const peers = [comparison.join(), comparison.join()];
  for (const peer of peers) addKnown(peer, 20, 100);
  return { observed, peers, changes, advance: (ms: number) => (nowMs += ms) };
}

/** The times of requests of one key, after its first one. */
function addKnown(upstream: FirstTokenTimes, count: number, ms: number): void {
  upstream.add(1, 100_000);
  for (let index = 0; index < count; index++) upstream.add(1, ms);
}

test('an upstream is slow after twenty requests of more than three times its peers', () => {
  const { observed, changes } = startComparison();
  addKnown(observed, 19, 350);
  expect(observed.isSlow()).toBe(false);
  observed.add(1, 350);
  expect(observed.isSlow()).toBe(true);
  expect(changes).toEqual([true]);
});

test('up to three times its peers, or 50 ms more, is not slow', () => {
  const { observed } = startComparison();
  addKnown(observed, 100, 290);
  expect(observed.isSlow()).toBe(false);
  const comparison = compareFirstTokens(() => 0);
  const [fast, slower] = [comparison.join(), comparison.join()];
  addKnown(fast, 20, 1);
  addKnown(slower, 20, 40);
  expect(slower.isSlow()).toBe(false);
});

test('an upstream is slow however fast its peers are', () => {
  const comparison = compareFirstTokens(() => 0);
  const [fast, slow] = [comparison.join(), comparison.join()];
  addKnown(fast, 20, 1);
  addKnown(slow, 20, 1);
  for (let index = 0; index < 20; index++) slow.add(1, 2000);
  expect(slow.isSlow()).toBe(true);
});

test('the first request of each key does not count', () => {
  const { observed } = startComparison();
  for (let key = 0; key < 100; key++) observed.add(key, 10_000);
  expect(observed.isSlow()).toBe(false);
});

test('a single slow request does not count, nor does an upstream without peers', () => {
  const { observed } = startComparison();
  addKnown(observed, 40, 100);
  observed.add(1, 60_000);
  expect(observed.isSlow()).toBe(false);
  const alone = compareFirstTokens(() => 0).join();
  addKnown(alone, 40, 10_000);
  expect(alone.isSlow()).toBe(false);
});

test('all upstreams being slow is not compared with the past', () => {
  const { observed, peers } = startComparison();
  addKnown(observed, 20, 100);
  for (let index = 0; index < 40; index++) for (const upstream of [observed, ...peers]) upstream.add(1, 3000);
  for (const upstream of [observed, ...peers]) expect(upstream.isSlow()).toBe(false);
});

test('a slow upstream is judged every 20 seconds by its latest requests, and recovers within 60 seconds', () => {
  const { observed, changes, advance } = startComparison();
  addKnown(observed, 20, 1000);
  advance(19_000);
  observed.add(1, 1000);
  advance(1000);
  expect(observed.isSlow()).toBe(true);
  // It recovers within this period, whose mean is still high.
  for (const ms of [1000, 1000, 1000, 100]) observed.add(1, ms);
  advance(20_000);
  expect(observed.isSlow()).toBe(true);
  observed.add(1, 100);
  advance(20_000);
  expect(observed.isSlow()).toBe(false);
  expect(changes).toEqual([true, false]);
});

test('without any requests, a slow upstream counts as recovered after 20 seconds', () => {
  const { observed, advance } = startComparison();
  addKnown(observed, 20, 1000);
  advance(19_999);
  expect(observed.isSlow()).toBe(true);
  advance(1);
  expect(observed.isSlow()).toBe(false);
});
