import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes } from './error-codes.ts';

test('lists the codes of docs/errors.md', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, code]) => code);
  expect(new Set(errorCodes)).toEqual(new Set(listed));
});
