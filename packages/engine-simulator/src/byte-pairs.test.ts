import { expect, test } from 'vitest';
import { bytePairs, longestMerge, utf8 } from './byte-pairs.ts';

const single = Array.from({ length: 256 }, (_, byte) => (byte < 128 ? String.fromCharCode(byte) : [byte]));
// 256: "ab", 257: "bc", 258: "abc", 259: "é", 260: the first two bytes of "漢", 261: "漢".
const pairs = bytePairs([...single, 'ab', 'bc', 'abc', 'é', [0xe6, 0xbc], '漢']);

test('joins the pair of the lowest id first, the leftmost of equals', () => {
  expect(pairs.merge('abc')).toEqual([258]);
  expect(pairs.merge('xbc')).toEqual([120, 257]);
  expect(pairs.merge('abab')).toEqual([256, 256]);
  expect(pairs.merge('')).toEqual([]);
});

test('joins bytes of one character, also to what is no text', () => {
  expect(pairs.merge(utf8('é漢'))).toEqual([259, 261]);
  expect(pairs.merge('\u00e6\u00bc')).toEqual([260]);
  expect(pairs.find(utf8('é'))).toBe(259);
  // The text "Ã" is two bytes, and not the byte C3 that begins "é".
  expect(pairs.merge(utf8('Ã'))).toEqual([0xc3, 0x83]);
});

test('remembers nothing from one word to the next, and refuses a word that is too long', () => {
  expect(pairs.merge('bc'.repeat(longestMerge / 2)).length).toBe(longestMerge / 2);
  expect(pairs.merge('ab')).toEqual([256]);
  expect(() => pairs.merge('a'.repeat(longestMerge + 1))).toThrow(RangeError);
});
