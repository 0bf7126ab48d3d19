import { expect, it } from 'vitest';
import { boundText } from './bounded-text.ts';

it('shows short text completely', () => {
  expect(boundText('abc', 3)).toEqual({ shown: 'abc', hiddenCharacters: 0 });
});

it('counts the characters that are not shown', () => {
  expect(boundText('abcdef', 4)).toEqual({ shown: 'abcd', hiddenCharacters: 2 });
});

it('does not split a surrogate pair', () => {
  expect(boundText('ab🙂c', 3)).toEqual({ shown: 'ab', hiddenCharacters: 3 });
});
