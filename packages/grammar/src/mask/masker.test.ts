import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { forRandomSeeds } from '../../test/for-random-seeds.ts';
import { createRandom } from '../../test/random.ts';
import { randomStrictSchema } from '../../test/random-schema.ts';
import {
  compileJsonSchema,
  compileLark,
  compileRegex,
  createTokenMasker,
  GrammarError,
  prepareTokenMasker,
} from '../index.ts';
import type { Grammar, TokenMasker } from '../index.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
// Single bytes, parts of characters, and tokens that cross the ends of names, strings and numbers.
const VOCABULARY = [
  ...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
  ...[
    '":',
    '": "',
    '",',
    '", "',
    '{"',
    '{"a',
    '"}',
    '"]',
    '":null',
    '},',
    '}}',
    '],"',
    ' "',
    '12',
    '1,',
    '1}',
    '.5',
    '-1',
  ].map(encode),
  ...[
    'null',
    'true,',
    'name',
    'ab',
    'abba',
    'foo',
    'a"b',
    '\\"',
    '\\u00',
    '\\',
    'é',
    'é"',
    '日本',
    ' a',
    '',
    '"',
    'foo',
  ].map(encode),
  Uint8Array.of(0x65, 0xf0, 0x9f),
  Uint8Array.of(0x98, 0x80, 0x22),
  Uint8Array.of(0xa9, 0x20),
];
const masker = createTokenMasker(VOCABULARY);

/** Their combinations are so many tokens that masks are stored as bits. */
const LETTERS = [
  'a',
  'b',
  'é',
  '日',
  '“',
  '\u2028',
  '😀',
  '"',
  '\\"',
  '\\n',
  ':',
  ' ',
  '}',
  'x',
  '1',
  'name',
  'o',
  'N',
];
const LARGE = [
  ...VOCABULARY,
  ...LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => encode(`${a}${b}${c}`)))),
];
const largeMasker = createTokenMasker(LARGE);

function check(grammar: Grammar, seed: number): void {
  checkWith(grammar, seed, VOCABULARY, masker);
}

function checkWith(grammar: Grammar, seed: number, vocabulary: readonly Uint8Array[], masker: TokenMasker): void {
  const random = createRandom(seed);
  let state = grammar.start();
  for (let step = 0; step < 12; step++) {
    const mask = masker.allowed(state);
    const expected = vocabulary.flatMap((bytes, id) => (bytes.length > 0 && state.advance(bytes) ? [id] : []));
    // As texts: thousands of elements take long to compare.
    const ids = expected.join();
    expect([...mask.ids()].join()).toBe(ids);
    expect(expected.map((_, index) => mask.nth(index)).join()).toBe(ids);
    expect([mask.nth(-1), mask.nth(expected.length)]).toEqual([undefined, undefined]);
    expect(mask.count).toBe(expected.length);
    expect(vocabulary.flatMap((_, id) => (mask.has(id) ? [id] : [])).join()).toBe(ids);
    const bits = mask.bits();
    expect(vocabulary.flatMap((_, id) => ((bits[id >>> 5]! >>> (id & 31)) & 1 ? [id] : [])).join()).toBe(ids);
    if (expected.length === 0) return;
    state = state.advance(vocabulary[random.pick(expected)]!)!;
  }
}

it('allows exactly the tokens that the state accepts, for any schema', () => {
  forRandomSeeds({ numRuns: 40 }, (random, seed) => {
    let grammar;
    try {
      grammar = compileJsonSchema(randomStrictSchema(random), { strict: true, maxMs: Infinity });
    } catch (error) {
      expect(error).toBeInstanceOf(GrammarError);
      return;
    }
    check(grammar, seed);
  });
});

const PATTERNS = [
  ...['[0-9]{2}', '^.{1,9}$', '^.*$', '^.{2,40}$', '^[^“]*$', '^[^“]{1,30}$', '^[^qb]*z?$', '^[a-z0-9 _]*$'],
  ...['^[^ab]{0,40}"?$', 'a|é$', '^[^日]*$', '^[^😀:]*$', 'name|oé'],
];
const STRINGS = [
  { maxLength: 3 },
  { minLength: 2, maxLength: 6 },
  { minLength: 1, maxLength: 3 },
  { minLength: 1, maxLength: 515 },
  { minLength: 3, maxLength: 6000 },
  { maxLength: 400 },
  { minLength: 4 },
  { minLength: 5, maxLength: 5 },
  { pattern: '^[^!-/<>]{0,12}$', maxLength: 9 },
  { not: { pattern: 'N|xa|日é' } },
  { oneOf: [{ pattern: 'N' }, { pattern: 'ab' }, { pattern: '1x|é' }] },
  { not: { enum: ['ab', 'abba', 'é', 'a"b', ''] } },
  ...PATTERNS.map((pattern) => ({ pattern })),
];

it.each([
  ...STRINGS.map((limits) => ({ type: 'string', ...limits })),
  { type: 'object', patternProperties: { '[a-z0-9]*': true, 'ab?': { maxLength: 2 }, '^N': { enum: ['N1'] } } },
  {
    type: 'object',
    properties: { a: true, abba: { maxLength: 2 }, name: true, 'a"b': true },
    additionalProperties: true,
  },
  { type: 'object', patternProperties: { '^a': { maxLength: 1 } }, additionalProperties: { enum: ['ab', 'foo'] } },
])('allows exactly the tokens of strings and names with few restrictions: %j', (schema) => {
  const grammar = compileJsonSchema(schema);
  for (let seed = 0; seed < 60; seed++) check(grammar, seed);
  for (let seed = 0; seed < 4; seed++) checkWith(grammar, seed, LARGE, largeMasker);
});

it('allows exactly the tokens of regular expressions, and of rules whose terminals can end anywhere', () => {
  const lists = compileLark('start: (WORD | NUM | "(" start ")")+\nWORD: /[a-z]+/\nNUM: /[0-9]+/\n%ignore " "');
  for (let seed = 0; seed < 30; seed++) {
    check(compileRegex('(?s)[a-z]*(é|😀)?(12|1,)*.*'), seed);
    check(lists, seed);
  }
});

it('returns masks of many and of few tokens, and all tokens with equal bytes', () => {
  const words = Array.from({ length: 5000 }, (_, id) => encode(`w${id % 2500}`));
  const mask = createTokenMasker(words).allowed(compileRegex('w\\d+').start());
  expect(mask.count).toBe(5000);
  expect([...mask.ids()]).toEqual(words.map((_, id) => id));
  expect([0, 31, 32, 1500].map((index) => mask.nth(index))).toEqual([0, 31, 32, 1500]);
  expect([-1, -32, words.length].map((index) => mask.nth(index))).toEqual([undefined, undefined, undefined]);
  expect([mask.has(0), mask.has(4999), mask.has(5000)]).toEqual([true, true, false]);
  const few = createTokenMasker(words).allowed(compileRegex('w7').start());
  expect([...few.ids()]).toEqual([7, 2507]);
  expect([-1, 0, 1, 2].map((index) => few.nth(index))).toEqual([undefined, 7, 2507, undefined]);
});

it('allows no token where the text must end', () => {
  const end = compileRegex('a').start().advance('a')!;
  expect(masker.allowed(end).count).toBe(0);
});

it('is prepared in steps of at most 10,000 tokens', async () => {
  const vocabulary = Array.from({ length: 60_000 }, (_, id) => encode(id.toString(36)));
  let pauses = 0;
  const prepared = await prepareTokenMasker(vocabulary, () => {
    pauses++;
    return undefined;
  });
  expect(pauses).toBeGreaterThanOrEqual(12);
  const start = compileRegex('[a-f]{1,2}[0-9]').start();
  const [ids, expected] = [prepared, createTokenMasker(vocabulary)].map((masker) => [...masker.allowed(start).ids()]);
  expect(ids).toEqual(expected);
  expect(ids?.length).toBeGreaterThan(100);
});

it('retains less than 60 MB for the states of a long pattern', { timeout: 60_000 }, () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const texts = letters.flatMap((first) => letters.flatMap((second) => letters.map((third) => first + second + third)));
  const masker = createTokenMasker([...letters, ...texts].map(encode));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const start = compileRegex('[a-z]{1,1000}').start();
  let state = start;
  for (let length = 0; length < 990; length++) {
    masker.allowed(state);
    state = state.advance('a') ?? state;
  }
  collectGarbage();
  const keptMegabytes = (process.memoryUsage().heapUsed - before) / 1e6;
  expect(masker.allowed(start).count).toBe(17_602);
  expect(keptMegabytes).toBeLessThan(60);
});
