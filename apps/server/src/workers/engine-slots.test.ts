import type { Release } from '@modelwire/adapter-kit';
import { RequestError } from '@modelwire/ports';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEngineSlots } from './engine-slots.ts';
import { callTimeoutMs } from './with-timeout.ts';
import { createSharedEngineQueue } from './shared-engine-queue.ts';
import type { SharedEngineQueue } from './shared-engine-queue.ts';

const caller = () => new AbortController().signal;

const enter = (queue: SharedEngineQueue): Promise<Release> => queue.acquire('default', caller());

/** Queues of one engine in two workers, connected by a distribution of its slots. */
function twoQueues(limits: { concurrency: number; maxWaiting?: number; waitMs?: number }) {
  const slots = createEngineSlots();
  const create = (worker: number): SharedEngineQueue => {
    const queue = createSharedEngineQueue(
      'engine',
      { maxWaiting: 100, waitMs: 60_000, ...limits },
      {
        enterQueue: async (request) => slots.enter(worker, request),
        leaveQueue: (request) => slots.leave(worker, request),
        releaseSlots: (released) => slots.release(worker, released),
      },
    );
    slots.add(worker, {
      reclaim: async () => {
        await Promise.resolve();
        queue.reclaim();
      },
      keep: () => queue.keep(),
    });
    return queue;
  };
  return { slots, first: create(1), second: create(2) };
}

test('no more requests are active than the engine has slots, and one worker can use all of them', async () => {
  const { first, second } = twoQueues({ concurrency: 4 });
  (await enter(second))();
  const [release] = await Promise.all([1, 2, 3, 4].map(() => enter(first)));
  expect(first.active).toBe(4);
  const waiting = enter(second);
  await new Promise(setImmediate);
  expect({ active: second.active, waiting: second.waiting }).toEqual({ active: 0, waiting: 1 });
  expect(first.isContended).toBe(true);
  release?.();
  await waiting;
  expect([first.active, second.active]).toEqual([3, 1]);
});

test('a request starts immediately in a slot that the worker already holds', async () => {
  const { first } = twoQueues({ concurrency: 8 });
  await enter(first);
  expect(first.tryAcquire()).toBeTypeOf('function');
});

test('waiting requests start by tier, then in the order of their arrival, whichever worker they are in', async () => {
  const { first, second } = twoQueues({ concurrency: 1 });
  const release = await enter(first);
  const started: string[] = [];
  const run = async (queue: SharedEngineQueue, tier: 'priority' | 'default' | 'flex', name: string) => {
    const done = await queue.acquire(tier, caller());
    started.push(name);
    done();
  };
  const all = [
    run(second, 'flex', 'flex'),
    run(first, 'default', 'default 1'),
    run(second, 'default', 'default 2'),
    run(second, 'priority', 'priority'),
  ];
  await new Promise(setImmediate);
  release();
  await Promise.all(all);
  expect(started).toEqual(['priority', 'default 1', 'default 2', 'flex']);
});

test('requests are refused if too many are waiting, or if they wait too long', async () => {
  const { first, second } = twoQueues({ concurrency: 1, maxWaiting: 1, waitMs: 20 });
  await enter(first);
  const results = await Promise.allSettled([first, second, second].map(enter));
  for (const result of results)
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(RequestError) as unknown });
  expect(second.waiting).toBe(0);
});

test('unused slots of another worker are used where no request may wait', async () => {
  const { first, second } = twoQueues({ concurrency: 2, maxWaiting: 0 });
  const release = await enter(first);
  await enter(second);
  release();
  await enter(second);
  expect(second.active).toBe(2);
});

test('a request that is aborted while it waits passes its slot to the next one', async () => {
  const { first, second } = twoQueues({ concurrency: 1 });
  const release = await enter(first);
  const aborting = new AbortController();
  const aborted = second.acquire('default', aborting.signal);
  const next = enter(second);
  await new Promise(setImmediate);
  aborting.abort(new Error('the client is gone'));
  await expect(aborted).rejects.toThrow('the client is gone');
  release();
  await next;
  expect(second.active).toBe(1);
});

test('the slots of a worker that exits go to the others', async () => {
  const { slots, first, second } = twoQueues({ concurrency: 2 });
  await Promise.all([1, 2].map(() => enter(first)));
  const waiting = enter(second);
  await new Promise(setImmediate);
  slots.remove(1);
  await waiting;
  await enter(second);
  expect(second.active).toBe(2);
});

test('a worker that becomes ready while requests wait keeps no slots', async () => {
  const { slots, first, second } = twoQueues({ concurrency: 1 });
  const release = await enter(first);
  const waiting = enter(second);
  await new Promise(setImmediate);
  const reclaimed: string[] = [];
  const reclaim = (engine: string) => Promise.resolve(void reclaimed.push(engine));
  slots.add(3, { reclaim, keep: (engine) => reclaimed.push(`keep ${engine}`) });
  expect(reclaimed).toEqual(['engine']);
  release();
  await waiting;
  expect(reclaimed).toEqual(['engine', 'keep engine']);
});

test('a worker that does not respond delays others for a limited time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { slots, first, second } = twoQueues({ concurrency: 1, maxWaiting: 0 });
  slots.add(3, { reclaim: () => new Promise(() => undefined), keep: () => undefined });
  await enter(first);
  const refused = expect(enter(second)).rejects.toThrow(RequestError);
  await new Promise(setImmediate);
  expect(second.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(callTimeoutMs);
  await refused;
});
