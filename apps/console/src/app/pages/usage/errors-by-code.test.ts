import { expect, test } from 'vitest';
import { errorsByCode } from './errors-by-code.ts';

test('the most frequent code comes first', () => {
  const errors = [
    { code: 'model_not_found', status: 404 },
    { code: 'rate_limit_exceeded', status: 429 },
    { code: 'rate_limit_exceeded', status: 429 },
  ];
  expect(errorsByCode(errors)).toEqual([
    { code: 'rate_limit_exceeded', status: 429, count: 2 },
    { code: 'model_not_found', status: 404, count: 1 },
  ]);
});
