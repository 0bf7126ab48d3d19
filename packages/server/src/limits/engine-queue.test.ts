import { expect, test } from 'vitest';
import { createEngineQueue } from './engine-queue.ts';
import type { ResolvedServiceTier } from './engine-queue.ts';

const signal = new AbortController().signal;
const queue = (options = {}) => createEngineQueue({ concurrency: 1, maxWaiting: 10, waitMs: 1000, ...options });

test('serves waiting requests by tier, then in order of arrival', async () => {
  const { acquire, release } = queue();
  const served: string[] = [];
  const wait = async (tier: ResolvedServiceTier, name: string) => {
    await acquire(tier, { signal });
    served.push(name);
  };
  expect(acquire('default', { signal })).toBeUndefined();
  const all = [
    wait('flex', 'flex'),
    wait('default', 'default 1'),
    wait('default', 'default 2'),
    wait('priority', 'priority'),
  ];
  for (let i = 0; i < 4; i++) release();
  await Promise.all(all);
  expect(served).toEqual(['priority', 'default 1', 'default 2', 'flex']);
});

test('returns 503 with Retry-After when the queue is full', () => {
  const { acquire } = queue({ maxWaiting: 0 });
  void acquire('default', { signal });
  expect(() => acquire('priority', { signal })).toThrow(
    expect.objectContaining({ status: 503, headers: { 'retry-after': '1' } }),
  );
});

test('returns 503 to a request that waits too long, and the slot goes to the next', async () => {
  const { acquire, release } = queue({ waitMs: 10 });
  void acquire('default', { signal });
  await expect(acquire('default', { signal })).rejects.toMatchObject({ status: 503 });
  release();
  expect(acquire('default', { signal })).toBeUndefined();
});

test('an aborted request leaves the queue', async () => {
  const engineQueue = queue({ maxWaiting: 1 });
  void engineQueue.acquire('default', { signal });
  const controller = new AbortController();
  const aborted = engineQueue.acquire('default', controller);
  controller.abort(new Error('aborted'));
  await expect(aborted).rejects.toThrow('aborted');
  expect(engineQueue.waiting).toBe(0);
  const next = engineQueue.acquire('flex', { signal });
  engineQueue.release();
  await expect(next).resolves.toBeUndefined();
  engineQueue.release();
  expect(engineQueue.active).toBe(0);
});
