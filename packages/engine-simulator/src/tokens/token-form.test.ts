import { beforeAll, expect, test } from 'vitest';
import { tokenForm } from './token-form.ts';
import { endOfText, loadTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});

test('returns each token with its bytes', () => {
  const ids = tokenizer.encode(' naïve 🜚');
  const forms = ids.map((id) => tokenForm(tokenizer, id));
  expect(forms.flatMap(({ bytes }) => bytes)).toEqual([...new TextEncoder().encode(' naïve 🜚')]);
  expect(forms[0]?.token).toBe(' naï');
  expect(forms.at(-1)?.token).toMatch(/^bytes:(\\x[0-9a-f]{2})+$/);
  expect(tokenForm(tokenizer, endOfText)).toEqual({ token: '<|endoftext|>', bytes: null });
});
