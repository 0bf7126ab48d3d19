import { expect, test } from 'vitest';
import { timeRangeQuery } from './time-range.ts';

const range = (since: string | undefined, until: string | undefined) => timeRangeQuery({ since, until });

test('times are dates in UTC, times with or without an offset, or Unix seconds', () => {
  expect(range('2026-11-23', '2026-11-23T09:30:00+01:00')).toEqual({ start_time: 1795392000, end_time: 1795422600 });
  expect(range('1795392000', undefined)).toEqual({ start_time: 1795392000 });
  const local = '2026-11-23T09:30:00';
  expect(range(undefined, local)).toEqual({ end_time: new Date(2026, 10, 23, 9, 30).getTime() / 1000 });
  expect(range(undefined, undefined)).toEqual({});
});

test.each(['yesterday', '23.11.2026', '2026-13-01', '-5', ''])('%j is refused, naming the option', (text) => {
  expect(() => range(text, undefined)).toThrow('--since');
  expect(() => range(undefined, text)).toThrow('--until');
});
