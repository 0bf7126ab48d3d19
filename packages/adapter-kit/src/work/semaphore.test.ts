import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';
import type { Release } from './waiters.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A semaphore and the operations that acquire its permits. `started`: the key of each that got a permit, in order. */
function startOperations(permits: number) {
  const semaphore = createSemaphore(permits);
  const started: string[] = [];
  const running: { readonly key: string; readonly release: Release }[] = [];
  const acquire = async (key: string, count: number, signal?: AbortSignal, rank?: number): Promise<void> => {
    for (let operation = 0; operation < count; operation++) {
      void semaphore.acquire(signal, key, rank).then(
        (release) => {
          started.push(rank === undefined ? key : `${key}${rank}`);
          running.push({ key, release });
        },
        () => undefined,
      );
    }
    await settled();
  };
  /** Ends the operation that has run longest, of this key or of any. */
  const release = async (key?: string): Promise<void> => {
    const index = key === undefined ? 0 : running.findIndex((operation) => operation.key === key);
    running.splice(index, 1)[0]?.release();
    await settled();
  };
  return { semaphore, acquire, release, started, runningKeys: () => running.map(({ key }) => key).toSorted() };
}

test('at most as many operations run as there are permits, in the order in which they arrived', async () => {
  const semaphore = createSemaphore(2);
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const runs = [0, 1, 2, 3].map((index) =>
    semaphore.run(async () => {
      started.push(index);
      await new Promise<void>((resolve) => finish.push(resolve));
    }),
  );
  await settled();
  expect(started).toEqual([0, 1]);
  finish[1]?.();
  await settled();
  expect(started).toEqual([0, 1, 2]);
  finish[0]?.();
  await settled();
  expect(started).toEqual([0, 1, 2, 3]);
  for (const end of finish) end();
  await Promise.all(runs);
});

test('a key that arrives later gets the next permits until it has an equal share', async () => {
  const { acquire, release, started, runningKeys } = startOperations(4);
  await acquire('large', 100);
  await acquire('small', 3);
  expect(runningKeys()).toEqual(['large', 'large', 'large', 'large']);
  await release('large');
  await release('large');
  expect(started.slice(4)).toEqual(['small', 'small']);
  // Both have half of the permits: each released permit goes to the same key.
  await release('small');
  expect(started.at(-1)).toBe('small');
  await release('large');
  expect(started.at(-1)).toBe('large');
  // The small key has no waiting operations left, so its permits go to the large one.
  await release('small');
  await release('small');
  expect(runningKeys()).toEqual(['large', 'large', 'large', 'large']);
});

test('with a single permit, keys take turns', async () => {
  const { acquire, release, started } = startOperations(1);
  await acquire('a', 5);
  await acquire('b', 5);
  await acquire('c', 2);
  for (let ended = 0; ended < 11; ended++) await release();
  expect(started.join('')).toBe('abcabcababab');
});

test('within a key, a lower rank goes first, and other keys still have their equal share', async () => {
  const { acquire, release, started } = startOperations(2);
  await acquire('a', 4, undefined, 9);
  await acquire('a', 3, undefined, 5);
  await acquire('b', 3, undefined, 7);
  for (let ended = 0; ended < 8; ended++) await release();
  expect(started).toEqual(['a9', 'a9', 'b7', 'a5', 'b7', 'a5', 'b7', 'a5', 'a9', 'a9']);
});

test('with more permits waiting operations start, with fewer none does until enough have ended', async () => {
  const { semaphore, acquire, release, runningKeys } = startOperations(1);
  await acquire('a', 5);
  semaphore.setPermits(3);
  await settled();
  expect(runningKeys()).toEqual(['a', 'a', 'a']);
  semaphore.setPermits(1);
  await release();
  await release();
  expect([runningKeys(), semaphore.waiting]).toEqual([['a'], 2]);
  await release();
  expect([runningKeys(), semaphore.waiting]).toEqual([['a'], 1]);
});

test('an operation that is aborted while it waits gets no permit, and the next one goes to another key', async () => {
  const { acquire, release, runningKeys } = startOperations(1);
  const controller = new AbortController();
  await acquire('a', 1);
  await acquire('b', 3, controller.signal);
  await acquire('c', 1);
  controller.abort(new Error('aborted'));
  await release();
  expect(runningKeys()).toEqual(['c']);
  await release();
  expect(runningKeys()).toEqual([]);
  await expect(createSemaphore(1).acquire(controller.signal)).rejects.toThrow('aborted');
});

test('a permit is released after a failure, and only once', async () => {
  const semaphore = createSemaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const release = await semaphore.acquire();
  release();
  release();
  expect(semaphore.tryAcquire()).toBeTypeOf('function');
  expect(semaphore.tryAcquire()).toBeUndefined();
});

test('whatever is acquired, released and aborted, in any order, permits are neither exceeded nor lost, and shared fairly', async () => {
  const step = fc.record({
    action: fc.constantFrom('acquire', 'acquire', 'release', 'abort', 'resize'),
    key: fc.constantFrom('a', 'b', 'c'),
    rank: fc.constantFrom(1, 2),
    index: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (initial, steps) => {
      let permits = initial;
      const semaphore = createSemaphore(permits);
      const waiting: { readonly key: string; readonly rank: number; readonly controller: AbortController }[] = [];
      const running: { readonly key: string; readonly release: Release }[] = [];
      /** The keys of operations that started before their turn, or after they were aborted. */
      const unfair: string[] = [];
      const activeOf = (key: string): number => running.filter((operation) => operation.key === key).length;
      const acquire = (key: string, rank: number): void => {
        const controller = new AbortController();
        const operation = { key, rank, controller };
        waiting.push(operation);
        semaphore.acquire(controller.signal, key, rank).then(
          (release) => {
            const ofKey = waiting.filter((other) => other.key === key).toSorted((a, b) => a.rank - b.rank);
            const isFirstOfKey = ofKey[0] === operation;
            const hasFewest = waiting.every((other) => activeOf(other.key) >= activeOf(key));
            if (controller.signal.aborted || !isFirstOfKey || !hasFewest) unfair.push(key);
            waiting.splice(waiting.indexOf(operation), 1);
            running.push({ key, release });
          },
          () => waiting.splice(waiting.indexOf(operation), 1),
        );
      };
      for (const { action, key, rank, index } of steps) {
        const before = running.length;
        if (action === 'acquire') acquire(key, rank);
        else if (action === 'resize') semaphore.setPermits((permits = 1 + (index % 4)));
        else if (action === 'abort') waiting.at(index % Math.max(1, waiting.length))?.controller.abort();
        else running.splice(index % Math.max(1, running.length), 1)[0]?.release();
        await settled();
        expect([semaphore.active, semaphore.waiting]).toEqual([running.length, waiting.length]);
        expect(unfair).toEqual([]);
        // Operations that started with more permits go on.
        expect(running.length).toBeLessThanOrEqual(Math.max(permits, before));
        if (waiting.length > 0) expect(running.length).toBeGreaterThanOrEqual(permits);
      }
      while (running.length > 0) {
        running.pop()?.release();
        await settled();
      }
      expect([semaphore.active, semaphore.waiting, waiting.length]).toEqual([0, 0, 0]);
    }),
  );
});
