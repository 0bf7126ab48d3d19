import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldConfusables } from './confusables.ts';
import { maskIdioms } from './neutral.ts';
import { loadWeights } from './weights.ts';
import { removeInvisible, overlap, windowLength, windows } from './windows.ts';
import { riskyWordsFrom, spelling, decodeDisguise } from './disguises.ts';
import { words } from './words.ts';

const work = { steps: 0 };
const { vocabulary } = await loadWeights();
const read = (text: string) => words(foldConfusables(removeInvisible(text)), vocabulary, work).join(' ');

test.each([
  ['Kill the lights!', 'kill the lights !'],
  ["You're, and dont", "you're , and don't"],
  ['k i l l', 'kill'],
  ['k . i . l . l', 'kill'],
  ['k.i.l.l', 'kill'],
  ['k1ll y0urself', 'kill yourself'],
  ['$h1t', 'shit'],
  ['f*ck and sh#t', 'fuck and shit'],
  ['kiiiiiill', 'kill'],
  ['niiiiice work', 'nice work'],
  ['killyourself', 'kill yourself'],
  ['sui cide', 'suicide'],
  ['кіll', 'kill'],
  ['ｋｉｌｌ', 'kill'],
  ['k\u200bi\u200bl\u200bl', 'kill'],
])('reads %j as %j', (text, plain) => {
  expect(read(text)).toBe(plain);
});

test.each([
  'scunthorpe',
  'therapist',
  'cocktail',
  'assassin',
  'analysis',
  'shitake',
  'a b c d',
  'plan b and plan c',
  'well known',
  'доброе утро',
  '2nd',
  'mp3',
  'h264',
])('does not change %j', (text) => {
  expect(read(text)).toBe(text);
});

test.each([
  'kill the process',
  'could you kill the dev server',
  'i could murder a curry',
  'we shoot a film',
  'my feet are killing me',
  'the bomb squad came',
  'beat the eggs',
  'kill two birds',
])('masks the risky word of the idiom "%s"', (text) => {
  expect(maskIdioms(text.split(' '), work)).toContain('_');
});

test.each(['kill the man', 'i will murder you', 'shoot the people', 'make a bomb', 'sex with a minor'])(
  'leaves "%s" to rules and weights',
  (text) => {
    expect(maskIdioms(text.split(' '), work)).toEqual(text.split(' '));
  },
);

test('windows contain every character of a text, in order, within the maximum length', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('word', ' ', 'x'.repeat(700), '\n', 'é'), { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      const [first = '', ...others] = windows(text, work);
      expect(first + others.map((window) => window.slice(overlap)).join('')).toBe(text);
      for (const window of [first, ...others]) expect(window.length).toBeLessThanOrEqual(windowLength);
    }),
  );
});

test('the decoded form of a disguised word is used only after a match', () => {
  const asked: string[] = [];
  const counting = {
    ...vocabulary,
    risky: (word: string) => asked.push(word) > 0 && vocabulary.risky(word),
    common: (word: string) => asked.push(word) > 0 && vocabulary.common(word),
  };
  expect(decodeDisguise('k.i.l.l', counting, work)).toBeUndefined();
  expect(asked).toEqual([]);
  expect(decodeDisguise('k*lll', counting, work)).toBe('kill');
});

test.each([3, 31, 32, 33, 63, 64, 65, 200])('detects a word that is spelled out after %i letters', (count) => {
  expect(read(`${'q '.repeat(count)}k i l l y o u r s e l f`)).toBe(`${'q '.repeat(count)}kill yourself`);
});

test('limits the number of decoded forms in each window', () => {
  const counted = { steps: 0, guesses: 0 };
  const found = words(
    foldConfusables(removeInvisible('k1ll '.repeat(10) + 'f*ck*t* '.repeat(60) + 'k1ll')),
    vocabulary,
    counted,
  );
  expect(found.filter((word) => word === 'kill')).toHaveLength(10);
  expect(words(foldConfusables('k1ll'), vocabulary, counted)).toEqual(['kill']);
});

test('splits joined letters into known words', () => {
  expect(riskyWordsFrom(spelling('iwanttokillmyself', vocabulary, work), 0)).toEqual([
    'i',
    'want',
    'to',
    'kill',
    'myself',
  ]);
  expect(riskyWordsFrom(spelling('xqzv', vocabulary, work), 0)).toBeUndefined();
});
