import { expect, test } from 'vitest';
import { StoreError } from './errors.ts';

test.each([
  ['SQLITE_FULL', true],
  ['53100', true],
  ['SQLITE_IOERR', false],
  ['57P01', false],
])('the code %s says that there is no space left: %s', (code, noSpace) => {
  expect(new StoreError('failed', { code }).noSpace).toBe(noSpace);
});
