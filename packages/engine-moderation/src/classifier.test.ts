import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categories, columnOf, subcategoryPairs } from './categories.ts';
import { scores } from './classifier.ts';
import { harmfulSentences } from './testing/harmful.ts';
import { loadWeights } from './weights.ts';

const loaded = await loadWeights();

/** Text of all kinds: any code units, and harmful or disguised pieces. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(
      fc.constantFrom(
        ...harmfulSentences.map(([, text]) => text),
        'k1ll',
        '\0',
        '\ud800',
        '"',
        'not',
        '\n',
        'ﬁ',
        '\u0301',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(' ')),
);

test('scores are numbers from 0 to 1, and no subcategory scores above its parent', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const found = scores(text, loaded);
      expect(found.length).toBe(categories.length);
      for (const score of found) expect(score >= 0 && score <= 1).toBe(true);
      for (const [child, parent] of subcategoryPairs)
        expect(found[columnOf[parent]]).toBeGreaterThanOrEqual(found[columnOf[child]]!);
    }),
    { numRuns: 500 },
  );
});

test('the same text has the same scores', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(scores(text, loaded)).toEqual(scores(text, loaded));
    }),
  );
});

const hostile: readonly (readonly [what: string, piece: string])[] = [
  ['one letter', 'a'],
  ['a plain threat', 'I will kill you and '],
  ['zero-width characters', 'k\u200b'],
  ['combining marks', `a${'\u0301\u0316'.repeat(9)}`],
  ['disguises', 'k1ll! $h!7 f*ck '],
  ['spelled-out words', 'k i l l '],
  ['separated letters', 'k.i-l_l'],
  ['run-together words', 'ihateyoukillmyself'],
  ['signs alone', '!?'],
  ['quotation marks', '"a'],
  ['the start of many patterns', 'how to make how do I create '],
  ['characters that decompose into many', '\ufdfa'],
  ['letters of other scripts', 'кіllаррр '],
  ['long numbers', '4815162342'],
  ['line breaks', '\n \n'],
  ['letters that almost spell words', 'a i a i u a i a i a i u a i z '],
];

/** Distinct random words of letters, digits and signs, each a possible disguise. */
function randomWord(length: number): string {
  const signs = 'abcdefghijklmnopqrstuvwxyz013@$!*.';
  let state = 7;
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  let text = '';
  while (text.length < length) {
    for (let left = 2 + below(9); left > 0; left--) text += signs[below(signs.length)] ?? '';
    text += ' ';
  }
  return text.slice(0, length);
}

test('work is linear in the length of a text: random characters', () => {
  const work = (length: number) => {
    const counted = { steps: 0 };
    scores(randomWord(length), loaded, counted);
    return counted.steps;
  };
  const short = work(20_000);
  expect(work(200_000)).toBeLessThanOrEqual(10.5 * short + 20_000);
  expect(short).toBeLessThan(120 * 20_000);
});

test.each(hostile)('work is linear in the length of a text: %s', (_what, piece) => {
  const work = (length: number) => {
    const counted = { steps: 0 };
    scores(piece.repeat(Math.ceil(length / piece.length)), loaded, counted);
    return counted.steps;
  };
  const short = work(20_000);
  expect(work(200_000)).toBeLessThanOrEqual(10.5 * short + 20_000);
  // A bounded amount of work per character, for any arrangement.
  expect(short).toBeLessThan(120 * 20_000);
});
