import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { beforeAll, describe, expect, test } from 'vitest';
import { endOfText, isInVocabulary, loadTokenizer, maxPart } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});

const bytesOf = (ids: readonly number[]): Uint8Array => Buffer.concat(ids.map((id) => tokenizer.bytes(id)));
const count = (text: string): number => Array.from(tokenizer.parts(text)).reduce((sum, part) => sum + part.length, 0);
const hostile = [
  'a'.repeat(20_000),
  ' '.repeat(20_000),
  '\n'.repeat(20_000),
  '漢字'.repeat(5000),
  '👩‍👩‍👧'.repeat(2000),
  '\ud800'.repeat(5000),
  'é'.repeat(3000),
  "'".repeat(9000),
  `x${' '.repeat(9000)}y`,
];

describe('the tokenizer', () => {
  test('returns the IDs of o200k', () => {
    expect(tokenizer.encode('Hello, world!')).toEqual([13225, 11, 2375, 0]);
  });

  test('treats special tokens in a text as plain text', () => {
    const ids = tokenizer.encode('a <|endoftext|> b <|im_start|>');
    expect(ids).not.toContain(endOfText);
    expect(new TextDecoder().decode(bytesOf(ids))).toBe('a <|endoftext|> b <|im_start|>');
  });

  test('returns tokens whose bytes are the text, for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(...hostile),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(tokenizer.encode(given)))).toBe(
          given.toWellFormed(),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('counts as many tokens as it encodes, also in parts', () => {
    const part = fc.oneof(
      fc.lorem({ maxCount: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom(' ', '\n\n', '   x', '東京'.repeat(200)),
    );
    const text = fc.array(part, { maxLength: 400 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        expect(count(given)).toBe(tokenizer.encode(given).length);
      }),
      { numRuns: 25 },
    );
  });

  test('counts a long text of ordinary words exactly, in more than one part', () => {
    const text = 'The river runs to the sea, and the sea does not mind. '.repeat(2000);
    expect([...tokenizer.parts(text)].length).toBeGreaterThan(3);
    expect(count(text)).toBe(
      2000 * tokenizer.encode(' The river runs to the sea, and the sea does not mind.').length + 1,
    );
  });

  test('counts a megabyte without a single word boundary in many small parts', () => {
    for (const unit of ['a', ' ', '漢']) {
      const parts = [...tokenizer.parts(unit.repeat(2 ** 20))];
      expect(parts.length).toBeGreaterThan(400);
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(3 * maxPart);
    }
  });

  test('equals the library if no word is longer than a part', () => {
    const base64 = Array.from({ length: 600 }, (_, i) => 'aZ9+bQ/x7'[(i * 7) % 9]).join('');
    const json = JSON.stringify(Array.from({ length: 90 }, (_, i) => ({ id: i, name: `name-${i}` })));
    for (const text of [base64, json, `${base64}\n\n  ${json}`, 'x'.repeat(maxPart)])
      expect(tokenizer.encode(text)).toEqual(encode(text));
  });

  test('adds at most one token for each part of a longer word', () => {
    const text = 'a'.repeat(20 * maxPart);
    const extra = tokenizer.encode(text).length - encode(text).length;
    expect(extra).toBeGreaterThanOrEqual(0);
    expect(extra).toBeLessThan(20);
  });

  test('accepts five million characters without a word boundary', () => {
    for (const unit of ['a', 'A', '漢', '🜚', '\u0301', '\n']) {
      const text = unit.repeat(Math.ceil(5e6 / unit.length));
      expect(count(text)).toBeGreaterThan(text.length / 200);
    }
  });

  test('does not change the split expression of the library', () => {
    const text = 'one two three four five';
    const parts = tokenizer.parts(text.repeat(200));
    parts.next();
    expect(encode(text)).toEqual(tokenizer.encode(text));
    expect(O200K_TOKEN_SPLIT_REGEX.lastIndex).toBe(0);
  });

  test('returns the tokens of the library for any mixture of scripts, marks, digits and white space', () => {
    const unit = fc.constantFrom(
      ...[
        'a',
        'B',
        'ß',
        ' ',
        '  ',
        '\n',
        '\r\n',
        '\t',
        '23',
        '4567',
        '?!',
        '/',
        '漢',
        '🜚',
        '\u0301',
        "'s",
        "'LL",
        '\ud800',
      ],
      ...['привет', 'مرحبا', 'สวัส', '👩‍👩‍👧', 'İ', 'ǅ', '\u00a0', '\u3000', 'The', '<|endoftext|>', 'http://x.y/z'],
    );
    const text = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const expected = encode(given, { disallowedSpecial: new Set<string>() });
        expect(tokenizer.encode(given)).toEqual(expected);
        expect(count(given)).toBe(expected.length);
      }),
      { numRuns: 300 },
    );
  });

  test('has a token for each common word', () => {
    const words = tokenizer.commonWords.map((id) => Buffer.from(tokenizer.bytes(id)).toString());
    expect(words.every((word) => /^ [a-z]+$/.test(word))).toBe(true);
    // With the expected token and the end of the text more than the 20 likeliest.
    expect(new Set(words).size).toBeGreaterThan(20);
  });

  test('knows the IDs of its vocabulary', () => {
    expect([0, 199_997, 199_999].every(isInVocabulary)).toBe(true);
    expect([-1, 0.5, 199_998, 200_003, 200_018, NaN].some(isInVocabulary)).toBe(false);
  });
});
