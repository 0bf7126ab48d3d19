import { beforeAll, expect, test } from 'vitest';
import { tokenForm, tokenText } from './token-text.ts';
import { endOfText, loadTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});

test('holds the parts of a character until it is whole', () => {
  const ids = tokenizer.encode('🜚');
  expect(ids.length).toBeGreaterThan(1);
  const text = tokenText(tokenizer);
  const said = ids.map((id) => text.push(id));
  expect(said.slice(0, -1).every((part) => part === '')).toBe(true);
  expect(said.at(-1)).toBe('🜚');
  expect(text.end()).toBe('');
});

test('ends a character that is never completed with U+FFFD', () => {
  const [first = 0] = tokenizer.encode('🜚');
  const text = tokenText(tokenizer);
  expect(text.push(first)).toBe('');
  expect(text.end()).toBe('\ufffd');
  text.push(first);
  expect(text.push(tokenizer.encode('a')[0] ?? 0)).toBe('\ufffda');
});

test('shows each token with its own bytes', () => {
  const ids = tokenizer.encode(' naïve 🜚');
  const forms = ids.map((id) => tokenForm(tokenizer, id));
  expect(forms.flatMap(({ bytes }) => bytes)).toEqual([...new TextEncoder().encode(' naïve 🜚')]);
  expect(forms.at(-1)?.token).toMatch(/^bytes:(\\x[0-9a-f]{2})+$/);
  expect(tokenForm(tokenizer, endOfText)).toEqual({ token: '<|endoftext|>', bytes: null });
});
