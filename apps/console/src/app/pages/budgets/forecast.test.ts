import { expect, test } from 'vitest';
import { forecastOf } from './forecast.ts';

const budget = {
  soft_limit: null,
  hard_limit: 100,
  override_limit: null,
  spent: 40,
  reserved: 0,
  period_start: 1000,
  resets_at: 2000,
  created_at: 0,
};

test('the current rate of a budget is that since the start of its period, or since it was created', () => {
  expect(forecastOf(budget, 1500)).toEqual({ atEnd: 80, usedUpAt: undefined });
  expect(forecastOf({ ...budget, created_at: 1400 }, 1500)).toEqual({ atEnd: 240, usedUpAt: 1650 });
});

test.each([
  ['the limit of the period', { override_limit: 60 }, 1750],
  ['the soft limit without a hard limit', { hard_limit: null, soft_limit: 50 }, 1625],
  ['what running requests have reserved', { spent: 50, reserved: 10 }, 1900],
])('it is used up by %s', (_name, changes, usedUpAt) => {
  expect(forecastOf({ ...budget, ...changes }, 1500)).toMatchObject({ usedUpAt });
});

test('a budget that is used up or has no limit is not used up later', () => {
  expect(forecastOf({ ...budget, spent: 100 }, 1500)).toEqual({ atEnd: 200, usedUpAt: undefined });
  expect(forecastOf({ ...budget, hard_limit: null }, 1500)).toEqual({ atEnd: 80, usedUpAt: undefined });
});

test('there is no forecast at the start of a period, nor after its end', () => {
  expect(forecastOf(budget, 1049)).toBeUndefined();
  expect(forecastOf(budget, 2000)).toBeUndefined();
});
