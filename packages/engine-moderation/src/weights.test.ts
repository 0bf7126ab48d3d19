import { expect, onTestFinished, test, vi } from 'vitest';
import { loadWeights } from './weights.ts';

// They are loaded once for each process: other files have done that.
vi.hoisted(() => vi.resetModules());

test('the event loop runs while weights are loaded, which happens once', async () => {
  // Each step takes longer than the time between yields.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  const turns = vi.spyOn(globalThis, 'setImmediate');
  onTestFinished(() => void vi.restoreAllMocks());
  const [first, second] = await Promise.all([loadWeights(), loadWeights()]);
  expect(first).toBe(second);
  expect(turns.mock.calls.length).toBeGreaterThan(50);
});
