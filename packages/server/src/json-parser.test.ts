import { parseJson, runAtOnce } from '@modelwire/ports';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonParser } from './json-parser.ts';

const parse = (text: string, maxValues = Infinity): unknown => runAtOnce(new JsonParser(text, maxValues).parse());

test('any JSON is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.boolean(), (text, isPretty) => {
      const written = isPretty ? JSON.stringify(JSON.parse(text), null, '\t\r\n ') : text;
      fc.pre(!/-0(?![.\d]*[1-9])/.test(written));
      expect(parse(written)).toEqual(JSON.parse(written));
    }),
  );
});

test('texts that JSON.parse refuses are refused', () => {
  const damage = fc.stringMatching(/^[{}[\],:"\\\-+.e01 nt\n\u00a0\u0001]$/);
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(2), damage, (text, position, removed, inserted) => {
      const at = position % (text.length + 1);
      const damaged = text.slice(0, at) + inserted + text.slice(at + removed);
      fc.pre(parseJson(damaged) === undefined);
      expect(() => parse(damaged)).toThrow();
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '',
  ' ',
  '{',
  '[1',
  '[1,]',
  '{"a"}',
  '{"a":1,}',
  '{a:1}',
  '01',
  '1.',
  '-',
  'nul',
  '1 2',
  '"\t"',
  '"a',
  '[}',
  '{]',
])('%j is a SyntaxError', (text) => expect(() => parse(text)).toThrow(SyntaxError));

test('more values than allowed are a 400', () => {
  expect(parse('[1,[2],{"a":3}]', 5)).toEqual([1, [2], { a: 3 }]);
  expect(() => parse('[1,[2],{"a":3}]', 4)).toThrow('more than 4 values');
});

test('nesting beyond the limit is a 400, however deep it is', () => {
  const error = { status: 400, param: '[0][0][0][0]' };
  expect(() => parse('['.repeat(200_000))).toThrow(expect.objectContaining(error) as Error);
});

test('a name that is that of the prototype is a field', () => {
  const value = parse('{"__proto__":{"a":1},"b":2}');
  expect(Object.keys(value as object)).toEqual(['__proto__', 'b']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

describe('the steps', () => {
  /** Values, names and quotes that are read in one step at most. */
  const perStep = 300;

  test.each([
    ['many values', `[${'1,'.repeat(20_000)}1]`, 20_000],
    ['many names', `{${Array.from({ length: 9000 }, (_, i) => `"a${i}":1`).join(',')}}`, 18_000],
    ['a string of many quotes', JSON.stringify('"'.repeat(20_000)), 20_000],
    ['empty containers', `[${'[],{},'.repeat(10_000)}0]`, 20_000],
  ])('of %s are many', (_, text, reads) => {
    const steps = new JsonParser(text, Infinity).parse();
    let count = 0;
    while (steps.next().done !== true) count++;
    expect(count).toBeGreaterThan(reads / perStep);
  });

  test('begin and end with a large string, which is parsed at once', () => {
    const steps = new JsonParser(`["${'a'.repeat(2 ** 20)}"]`, Infinity).parse();
    expect([steps.next().done, steps.next().done, steps.next().done]).toEqual([false, false, true]);
  });
});

test('numbers of many digits are compared with doubles in linear time', () => {
  const number = `1.${'0'.repeat(2_000_000)}1`;
  expect(JSON.stringify(parse(`[${number}]`))).toBe(`[${number}]`);
});
