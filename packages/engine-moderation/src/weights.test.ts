import { expect, onTestFinished, test, vi } from 'vitest';
import { decisions } from '../scripts/thresholds.ts';
import { categories } from './categories.ts';
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

test.each(categories)(
  '%s is flagged and reported as uncertain from the scores of the training script on',
  async (category) => {
    const { threshold, doubt } = (await loadWeights()).columns[categories.indexOf(category)] ?? {};
    expect({ threshold, doubt }).toEqual(decisions[category]);
  },
);
