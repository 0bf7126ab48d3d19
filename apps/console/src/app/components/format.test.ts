import { expect, it } from 'vitest';
import { formatMoney, formatRelativeTime } from './format.ts';

it('formats money in its currency, with enough digits for small amounts', () => {
  expect(formatMoney(1234.5, 'eur')).toBe('€1,234.50');
  expect(formatMoney(0.000_123_4, 'usd')).toBe('$0.000123');
  expect(formatMoney(0, 'usd')).toBe('$0.00');
});

it('formats times relative to now', () => {
  const now = 1_790_000_000;
  const format = (seconds: number): string => formatRelativeTime(now + seconds, now * 1000);
  expect([-2, -40, -300, -7200, -86_400, 172_800].map(format)).toEqual([
    'now',
    '40 seconds ago',
    '5 minutes ago',
    '2 hours ago',
    'yesterday',
    'in 2 days',
  ]);
});
