import type { Release } from '@modelwire/adapter-kit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTieredQueue } from './tiered-queue.ts';
import type { ResolvedServiceTier } from './tiered-queue.ts';

const { signal } = new AbortController();
const queue = (options = {}) => createTieredQueue({ concurrency: 1, maxWaiting: 10, waitMs: 1000, ...options });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('serves waiting requests by tier, then in order of arrival', async () => {
  const { acquire, tryAcquire } = queue();
  const served: string[] = [];
  const wait = async (tier: ResolvedServiceTier, name: string) => {
    const release = await acquire(tier, signal);
    served.push(name);
    release();
  };
  const release = tryAcquire();
  const all = [
    wait('flex', 'flex'),
    wait('default', 'default 1'),
    wait('default', 'default 2'),
    wait('priority', 'priority'),
  ];
  release?.();
  await Promise.all(all);
  expect(served).toEqual(['priority', 'default 1', 'default 2', 'flex']);
});

test('a caller that has left gets no slot, also if one is free', async () => {
  const { acquire, tryAcquire } = queue();
  await expect(acquire('default', AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  expect(tryAcquire()).toBeDefined();
});

test('returns 503 with Retry-After when the queue is full', async () => {
  const { acquire } = queue({ maxWaiting: 0 });
  await acquire('default', signal);
  await expect(acquire('priority', signal)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
});

test('returns 503 to a request that waits too long, and the slot goes to the next', async () => {
  const { acquire, tryAcquire } = queue({ waitMs: 10 });
  const release = await acquire('default', signal);
  await expect(acquire('default', signal)).rejects.toMatchObject({ status: 503 });
  release();
  expect(tryAcquire()).toBeTypeOf('function');
});

test('whatever is acquired, released and aborted, in any order, slots are neither exceeded nor lost, and go to the first in the highest tier', async () => {
  const order = ['priority', 'default', 'flex'] as const;
  const step = fc.record({
    action: fc.constantFrom('acquire', 'acquire', 'release', 'release again', 'abort'),
    tier: fc.constantFrom(...order),
    index: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), async (concurrency, steps) => {
      const maxWaiting = 5;
      const tiered = queue({ concurrency, maxWaiting, waitMs: 60_000 });
      const waiting: { readonly tier: ResolvedServiceTier; readonly controller: AbortController }[] = [];
      const running: Release[] = [];
      const ended: Release[] = [];
      /** Requests that started before their turn, or after they were aborted. */
      let unfair = 0;
      const acquire = (tier: ResolvedServiceTier): void => {
        const request = { tier, controller: new AbortController() };
        waiting.push(request);
        tiered.acquire(tier, request.controller.signal).then(
          (release) => {
            const first = order.flatMap((one) => waiting.filter((other) => other.tier === one))[0];
            if (request.controller.signal.aborted || request !== first) unfair++;
            waiting.splice(waiting.indexOf(request), 1);
            running.push(release);
          },
          () => waiting.splice(waiting.indexOf(request), 1),
        );
      };
      for (const { action, tier, index } of steps) {
        if (action === 'acquire') acquire(tier);
        else if (action === 'abort') waiting.at(index % Math.max(1, waiting.length))?.controller.abort();
        else if (action === 'release again') ended.at(index % Math.max(1, ended.length))?.();
        else {
          const released = running.splice(index % Math.max(1, running.length), 1);
          for (const release of released) release();
          ended.push(...released);
        }
        await settled();
        expect([tiered.active, tiered.waiting, unfair]).toEqual([running.length, waiting.length, 0]);
        expect(tiered.isContended).toBe(waiting.length > 0);
        expect(running.length).toBeLessThanOrEqual(concurrency);
        expect(waiting.length).toBeLessThanOrEqual(maxWaiting);
        if (waiting.length > 0) expect(running.length).toBe(concurrency);
      }
      for (const { controller } of waiting) controller.abort();
      for (const release of running) release();
      await settled();
      expect([tiered.active, tiered.waiting]).toEqual([0, 0]);
    }),
  );
});
