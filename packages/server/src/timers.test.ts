import { expect, onTestFinished, test, vi } from 'vitest';
import { unrefTimeout } from './timers.ts';

const maxTimerMs = 2 ** 31 - 1;

test('a delay of months is exact, although it exceeds the maximum of a timer', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [run, cleared] = [vi.fn(), vi.fn()];
  unrefTimeout(2 * maxTimerMs + 5, run);
  const clearTimer = unrefTimeout(2 * maxTimerMs + 5, cleared);
  vi.advanceTimersByTime(2 * maxTimerMs + 4);
  expect(run).not.toHaveBeenCalled();
  clearTimer();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(maxTimerMs);
  expect(cleared).not.toHaveBeenCalled();
});
