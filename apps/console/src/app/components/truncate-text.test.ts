import { expect, it } from 'vitest';
import { truncateText } from './truncate-text.ts';

it('shows short text completely', () => {
  expect(truncateText('abc', 3)).toEqual({ shown: 'abc', hiddenCharacters: 0 });
});

it('counts the characters that are not shown', () => {
  expect(truncateText('abcdef', 4)).toEqual({ shown: 'abcd', hiddenCharacters: 2 });
});

it('does not split a surrogate pair', () => {
  expect(truncateText('ab🙂c', 3)).toEqual({ shown: 'ab', hiddenCharacters: 3 });
});
