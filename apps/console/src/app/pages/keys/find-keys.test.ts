import { expect, test } from 'vitest';
import { findKeys } from './find-keys.ts';

const keys = [
  { id: 'key_1', name: 'Checkout (Shop)', hint: 'mw-abcd…', project: 'shop' },
  { id: 'key_2', name: 'ci (Shop)', hint: 'mw-efgh…', project: 'shop' },
];

test.each([
  ['a part of the name in any case', 'check', ['key_1']],
  ['a secret by its first characters', 'mw-efgh0123456789', ['key_2']],
  ['the shown part of a secret', 'mw-efgh…', ['key_2']],
  ['less than the shown part of a secret', 'mw-e', []],
  ['an ID', 'key_1', ['key_1']],
  ['nothing', 'mw-zzzz0123456789', []],
])('finds keys by %s', (_, text, ids) => {
  expect(findKeys(keys, text).map(({ id }) => id)).toEqual(ids);
});
