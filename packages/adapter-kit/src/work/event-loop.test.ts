import { expect, test, vi } from 'vitest';
import { createPause, runAtOnce, runInTimeSlices, yieldAfterLarge, yieldToEventLoop } from './event-loop.ts';

test('work on a large text yields to the event loop after a step, work on a small one does not', async () => {
  expect(yieldAfterLarge(1024 * 1024 - 1)).toBeUndefined();
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  await yieldAfterLarge(1024 * 1024);
  expect(hasRun).toBe(true);
});

test('computations that yield together continue in a turn of the event loop each', async () => {
  const order: string[] = [];
  const compute = async (name: string): Promise<void> => {
    for (let step = 0; step < 2; step++) {
      await yieldToEventLoop();
      order.push(name);
    }
  };
  const turn = (): void => {
    order.push('|');
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await Promise.all([compute('a'), compute('b')]);
  clearImmediate(next);
  expect(order.join('')).toMatch(/^\|?a\|b\|a\|b$/);
});

function* steps(count: number, step: () => void): Generator<undefined, string, undefined> {
  for (let at = 0; at < count; at++) {
    step();
    yield;
  }
  return 'done';
}

test('steps that take long are run in slices of eight milliseconds, between which the event loop runs', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let turns = 0;
  const turn = (): void => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await expect(runInTimeSlices(steps(16, () => (now += 2)))).resolves.toEqual({ value: 'done' });
  clearImmediate(next);
  clock.mockRestore();
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('steps that take longer than allowed are stopped', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const step = vi.fn(() => void (now += 10));
  await expect(runInTimeSlices(steps(100, step), 50)).resolves.toEqual({ tooLong: true });
  clock.mockRestore();
  expect(step).toHaveBeenCalledTimes(6);
});

test('steps can be run at once', () => expect(runAtOnce(steps(3, () => undefined))).toBe('done'));

test('pauses only after five milliseconds of work, and rejects after the signal has aborted', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(100);
  const controller = new AbortController();
  const pause = createPause(controller.signal);
  expect(pause()).toBeUndefined();
  now.mockReturnValue(105);
  await expect(pause()).resolves.toBeUndefined();
  expect(pause()).toBeUndefined();
  now.mockReturnValue(110);
  controller.abort(new Error('the client disconnected'));
  await expect(pause()).rejects.toThrow('the client disconnected');
  now.mockRestore();
});

test('a pause that nobody waits for is no unhandled rejection when the signal aborts', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(100);
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const controller = new AbortController();
  const pause = createPause(controller.signal);
  now.mockReturnValue(105);
  void pause();
  controller.abort(new Error('the client disconnected'));
  now.mockRestore();
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
