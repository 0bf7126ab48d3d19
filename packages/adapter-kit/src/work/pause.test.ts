import { expect, test, vi } from 'vitest';
import { createPause } from './pause.ts';

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
