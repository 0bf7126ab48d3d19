import { expect, test } from 'vitest';
import { fromLocalTime, toLocalTime } from './local-time.ts';

test('a time is converted to a field and back, accurate to a minute', () => {
  expect(fromLocalTime(toLocalTime(1_790_000_040))).toBe(1_790_000_040);
  expect(toLocalTime(null)).toBe('');
});

test('a date is midnight in the time zone of the browser, and an empty or invalid date is null', () => {
  expect(fromLocalTime('2026-11-23')).toBe(new Date(2026, 10, 23).getTime() / 1000);
  expect(fromLocalTime('')).toBeNull();
  expect(fromLocalTime('soon')).toBeNull();
});
