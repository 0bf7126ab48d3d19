import { expect, test, vi } from 'vitest';
import { backoffMs, sleep } from './sleep.ts';

test('resolves after the time, and removes its listener', async () => {
  const controller = new AbortController();
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  await sleep(1, controller.signal);
  expect(removed).toHaveBeenCalledOnce();
});

test('rejects immediately with the reason of the signal', async () => {
  const controller = new AbortController();
  const sleeping = sleep(1_000_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(sleep(1_000_000, controller.signal)).rejects.toThrow('enough');
});

test('doubles the longest delay with each attempt, up to the maximum', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const delays = [1, 2, 3, 9].map((attempt) => backoffMs(attempt, { firstMs: 100, maxMs: 1000 }));
  expect(delays).toEqual([100, 200, 400, 1000]);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  expect(backoffMs(2, { firstMs: 100, maxMs: 1000, minPart: 0.5 })).toBe(100);
  expect(backoffMs(2, { firstMs: 100, maxMs: 1000 })).toBe(0);
});
