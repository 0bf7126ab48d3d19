import { expect, test } from 'vitest';
import { formatAmount, fieldToAmount, budgetState, amountToField } from './amounts.ts';

test('costs are shown and entered in units of the currency, and tokens as numbers', () => {
  expect(amountToField('cost', 1_250_000)).toBe('1.25');
  expect(fieldToAmount('cost', '1.25')).toBe(1_250_000);
  expect(fieldToAmount('cost', '0.000001')).toBe(1);
  expect(fieldToAmount('tokens', '1000')).toBe(1000);
  expect(fieldToAmount('tokens', '')).toBeNull();
  expect(amountToField('tokens', null)).toBe('');
  expect(formatAmount('tokens', 12_345, 'usd')).toBe('12,345');
  expect(formatAmount('cost', null, 'usd')).toBe('–');
  expect(formatAmount('cost', 1_250_000, 'eur')).toBe('€1.25');
  expect(formatAmount('cost', 1_250_000, null)).toBe('1.25');
});

const budget = { soft_limit: 50, hard_limit: 100, override_limit: null, spent: 0, reserved: 0 };

test.each([
  [{ spent: 49 }, 'within limits', 100],
  [{ spent: 40, reserved: 10 }, 'over the soft limit', 100],
  [{ spent: 100 }, 'used up', 100],
  [{ spent: 100, override_limit: 200 }, 'over the soft limit', 200],
  [{ spent: 500, soft_limit: null, hard_limit: null }, 'within limits', null],
  [{ soft_limit: null, hard_limit: 0 }, 'used up', 0],
])('a budget with %o is %s', (changes, label, limit) => {
  expect(budgetState({ ...budget, ...changes })).toMatchObject({ label, limit });
});
