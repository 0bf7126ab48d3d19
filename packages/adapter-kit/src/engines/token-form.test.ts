import { expect, test } from 'vitest';
import { tokenForm } from './token-form.ts';

test('shows a token as its text, also after one that is no text', () => {
  const bytes = new TextEncoder().encode(' naïve \ufeff');
  expect(tokenForm(bytes.slice(4, 5)).token).toBe('bytes:\\xaf');
  expect(tokenForm(bytes)).toEqual({ token: ' naïve \ufeff', bytes: [...bytes] });
});

test('shows the bytes of a token that is only a part of a character', () => {
  expect(tokenForm(Uint8Array.of(0xf0, 0x9f))).toEqual({ token: 'bytes:\\xf0\\x9f', bytes: [0xf0, 0x9f] });
});
