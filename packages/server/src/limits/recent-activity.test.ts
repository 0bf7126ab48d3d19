import { expect, test } from 'vitest';
import { createRecentActivity } from './recent-activity.ts';

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const ended = { isError: false, durationMs: 100, firstTokenMs: 20, usage, costMicros: 7 };

test('sums the requests of the minutes of a range', () => {
  const activity = createRecentActivity(0);
  activity.add(60, ended);
  activity.add(119, { ...ended, isError: true, usage: undefined, firstTokenMs: undefined, costMicros: 0 });
  activity.add(120, ended);
  expect(activity.sum(60, 120)).toMatchObject({
    requests: 2,
    errors: 1,
    inputTokens: 10,
    outputTokens: 5,
    costMicros: 7,
  });
  expect(activity.sum(0, 600)).toMatchObject({ requests: 3, errors: 1, inputTokens: 20 });
  expect(activity.sum(180, 600)).toMatchObject({ requests: 0 });
});

test('computes percentiles to 12 %, and none without requests', () => {
  const activity = createRecentActivity(0);
  for (let milliseconds = 1; milliseconds <= 1000; milliseconds++) {
    activity.add(0, { ...ended, durationMs: milliseconds, firstTokenMs: undefined });
  }
  const { durations, firstTokens } = activity.sum(0, 60);
  expect(Math.abs((durations.percentile(0.5) ?? 0) - 500)).toBeLessThan(60);
  expect(Math.abs((durations.percentile(0.95) ?? 0) - 950)).toBeLessThan(114);
  expect(firstTokens.percentile(0.5)).toBeUndefined();
});

test('drops minutes that are older than a day', () => {
  const activity = createRecentActivity(0);
  activity.add(0, ended);
  activity.add(86_400, ended);
  expect(activity.sum(0, 200_000)).toMatchObject({ requests: 1 });
});
