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
