import fc from 'fast-check';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { describe, expect, test } from 'vitest';
import { eachWord, longestPiece, longestWord, pieces } from './word-split.ts';

const split = new RegExp(O200K_TOKEN_SPLIT_REGEX);
const wordsOf = (text: string): string[] => {
  const words: string[] = [];
  for (const piece of pieces(text, split)) eachWord(piece, split, (word) => words.push(word));
  return words;
};
const scripts = ['привет мир ', 'مرحبا بالعالم ', '漢字。', 'สวัสดีชาวโลก', '1 2,3 ', '.! ', '77', '👩‍👩‍👧', '🜚', 'e\u0301\u0302 ', '\u0301', 'a', 'A', ' ', '\n', ' \n\t', '/', '\ud800', 'AbcD']; // prettier-ignore

describe('pieces', () => {
  test('are short, whatever is written: nothing longer goes to the tokenizer in one go', () => {
    for (const unit of scripts) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length));
      const lengths = [...pieces(text, split)].map((piece) => piece.length);
      expect([unit, Math.max(...lengths) <= longestPiece]).toEqual([unit, true]);
      // And not too short either: each takes a piece or most of it.
      expect([unit, lengths.length < (2.1 * text.length) / longestPiece]).toEqual([unit, true]);
    }
    expect(longestPiece).toBeLessThanOrEqual(8192);
  });

  test('are the text, and never split a surrogate pair', () => {
    const unit = fc.constantFrom(...scripts);
    const text = fc.tuple(fc.array(unit, { minLength: 1, maxLength: 4 }), fc.nat(900)).map(([units, times]) => units.join('').repeat(times)); // prettier-ignore
    fc.assert(
      fc.property(text, (given) => {
        const all = [...pieces(given, split)];
        expect(all.join('')).toBe(given);
        if (given.isWellFormed()) expect(all.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });

  test('end where a word ends, when there are blanks, so that the words are those of the whole text', () => {
    for (const unit of [
      'привет мир ',
      '1 2,3 ',
      '.! ',
      'e\u0301\u0302 ',
      '漢ABCDEFGHIJKLMNOPb ',
      '«Да»,  сказал\tон.\n ',
      '漢字 漢、\u3000x ',
      "he's\n\n  it ",
    ]) {
      const text = unit.repeat(2000);
      expect(wordsOf(text)).toEqual(text.match(O200K_TOKEN_SPLIT_REGEX));
    }
  });

  test('cost a word or two for each cut, where there is none', () => {
    for (const unit of ['漢字。', '1,', 'AbcD', '漢、Aa9', 'aB漢\u0301']) {
      const text = unit.repeat(Math.ceil(40_000 / unit.length));
      const cuts = [...pieces(text, split)].length - 1;
      expect(cuts).toBeGreaterThan(30);
      expect(Math.abs(wordsOf(text).length - (text.match(O200K_TOKEN_SPLIT_REGEX)?.length ?? 0))).toBeLessThanOrEqual(
        cuts,
      );
    }
  });
});

describe('words', () => {
  test('are never longer than what is quick to join', () => {
    for (const unit of scripts) {
      const words = wordsOf(unit.repeat(3000));
      expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(longestWord);
      expect(words.join('')).toBe(unit.repeat(3000));
    }
  });
});
