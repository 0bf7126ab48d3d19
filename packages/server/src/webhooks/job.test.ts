import { expect, test } from 'vitest';
import { defaultRetryDelaysMs, retryDelayMs } from './job.ts';

test('a delivery has 10 attempts in about 23 hours by default', () => {
  expect(defaultRetryDelaysMs).toHaveLength(9);
  const total = defaultRetryDelaysMs.reduce((sum, delay) => sum + delay, 0);
  expect(total / 3_600_000).toBeCloseTo(22.7, 1);
  expect(retryDelayMs(10, defaultRetryDelaysMs)).toBeUndefined();
});

test('a delay varies by a fifth, and there is none after the last attempt', () => {
  const delays = [1000, 5000];
  expect([0, 0.5, 1].map((random) => retryDelayMs(1, delays, () => random))).toEqual([800, 1000, 1200]);
  expect(retryDelayMs(2, delays, () => 0.5)).toBe(5000);
  expect(retryDelayMs(3, delays)).toBeUndefined();
});
