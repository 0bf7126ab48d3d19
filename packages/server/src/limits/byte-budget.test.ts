import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteBudget } from './byte-budget.ts';
import type { ByteReservation } from './byte-budget.ts';

const { signal } = new AbortController();
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('refuses bytes that do not fit with a 503, and reserves nothing for them', () => {
  const budget = createByteBudget(100);
  budget.reserve().acquireNow(60);
  const other = budget.reserve();
  expect(() => other.acquireNow(50)).toThrow(expect.objectContaining({ status: 503 }));
  expect([other.tryAcquire(40), budget.active]).toEqual([true, 100]);
});

test('a single buffer may be larger than the budget, and grow; then nothing else fits', () => {
  const budget = createByteBudget(100);
  const only = budget.reserve();
  expect([only.tryAcquire(150), only.tryAcquire(50), budget.reserve().tryAcquire(0)]).toEqual([true, true, false]);
});

test('bytes are released once, in parts or all', () => {
  const budget = createByteBudget(100);
  const [one, other] = [budget.reserve(), budget.reserve()];
  one.acquireNow(50);
  other.acquireNow(50);
  one.release(20);
  expect(budget.active).toBe(80);
  one.release();
  one.release();
  one.release(10);
  expect(budget.active).toBe(50);
});

test('bytes that are needed at once are refused while others wait for theirs', async () => {
  const budget = createByteBudget(100);
  const held = budget.reserve();
  held.acquireNow(60);
  const waiting = budget.reserve().acquire(50, signal);
  await settled();
  expect([budget.reserve().tryAcquire(10), budget.waiting]).toEqual([false, 1]);
  held.release();
  await waiting;
  expect([budget.reserve().tryAcquire(10), budget.waiting]).toEqual([true, 0]);
});

test('whatever is acquired, released and aborted, in any order, bytes are neither exceeded nor lost, and go to the first that waits', async () => {
  const max = 10;
  const step = fc.record({
    action: fc.constantFrom('acquire', 'acquire', 'release', 'release some', 'abort'),
    bytes: fc.integer({ min: 1, max: 12 }),
    index: fc.nat(20),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const budget = createByteBudget(max);
      const waiting: { readonly bytes: number; readonly controller: AbortController }[] = [];
      const running: { bytes: number; readonly reservation: ByteReservation }[] = [];
      /** Reservations that were granted before their turn, or after they were aborted. */
      let unfair = 0;
      const acquire = (bytes: number): void => {
        const request = { bytes, controller: new AbortController() };
        const reservation = budget.reserve();
        waiting.push(request);
        reservation.acquire(bytes, request.controller.signal).then(
          () => {
            if (request.controller.signal.aborted || request !== waiting[0]) unfair++;
            waiting.splice(waiting.indexOf(request), 1);
            running.push({ bytes, reservation });
          },
          () => waiting.splice(waiting.indexOf(request), 1),
        );
      };
      for (const { action, bytes, index } of steps) {
        const at = index % Math.max(1, running.length);
        const holder = running[at];
        if (action === 'acquire') acquire(bytes);
        else if (action === 'abort') waiting.at(index % Math.max(1, waiting.length))?.controller.abort();
        else if (action === 'release some' && holder && bytes < holder.bytes) {
          holder.reservation.release(bytes);
          holder.bytes -= bytes;
        } else running.splice(at, 1)[0]?.reservation.release();
        await settled();
        const held = running.reduce((sum, one) => sum + one.bytes, 0);
        expect([budget.active, budget.waiting, unfair]).toEqual([held, waiting.length, 0]);
        if (running.length > 1) expect(held).toBeLessThanOrEqual(max);
        const [first] = waiting;
        if (first) expect(held > 0 && held + first.bytes > max).toBe(true);
      }
      for (const { controller } of waiting) controller.abort();
      for (const { reservation } of running) reservation.release();
      await settled();
      expect([budget.active, budget.waiting]).toEqual([0, 0]);
    }),
  );
});
