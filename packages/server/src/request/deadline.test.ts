import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { met, startDeadline } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is not met in time is late, once; what is met is not', async () => {
  // The clock is there once for all tests: it is started under the fake timers of the first.
  const [one, two, three] = [vi.fn(), vi.fn(), vi.fn()];
  const deadlines = [startDeadline(20_000, one), startDeadline(20_000, two), startDeadline(60_000, three)];
  if (deadlines[1]) met(deadlines[1]);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(one).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(7000);
  expect(one).toHaveBeenCalledOnce();
  if (deadlines[0]) met(deadlines[0]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([one, two, three].map((late) => late.mock.calls.length)).toEqual([1, 0, 1]);
});
