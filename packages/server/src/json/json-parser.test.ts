import { parseJson } from '@modelwire/adapter-kit';
import { runAtOnce } from '@modelwire/adapter-kit/internal';
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
  const spacious = '[{"a":1},0]';

  test.each([
    ['many values', `[${'1,'.repeat(20_000)}1]`, 20_000],
    ['many names', `{${Array.from({ length: 9000 }, (_, i) => `"a${i}":1`).join(',')}}`, 18_000],
    ['a string of many quotes', JSON.stringify('"'.repeat(20_000)), 20_000],
    ['empty containers', `[${'[],{},'.repeat(10_000)}0]`, 20_000],
    ...[0, 1, 2, 5, 6, 7, 8, 9, 10, 11].map((at): [string, string, number] => {
      // Counted in characters instead.
      const [before, after] = [spacious.slice(0, at), spacious.slice(at)];
      return [`white space after ${before}`, `${before}${'\n'.repeat(200_000)}${after}`, 2 * perStep];
    }),
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

test('a long number is kept, and one of more than 10,000 characters is a 400', () => {
  const text = (digits: number) => `[1.${'0'.repeat(digits - 3)}1]`;
  expect(JSON.stringify(parse(text(10_000)))).toBe(text(10_000));
  for (const digits of [10_001, 2_000_000]) {
    expect(() => parse(text(digits))).toThrow(
      "Invalid number in '[0]': 1.0000000000000000000000000000000000000… has more than",
    );
  }
});

describe('objects whose integers are out of order', () => {
  const pairs = (count: number) => `[${Array.from({ length: count }, () => '{"2":1,"1":2}').join(',')}]`;
  const object = (count: number, name: (i: number) => number | string) =>
    `{${Array.from({ length: count }, (_, i) => `"${name(i)}":0`).join(',')}}`;

  test('list their names as written, 5,000 in all', () => {
    expect(JSON.stringify(parse(pairs(2500)))).toBe(pairs(2500));
    const one = object(5000, (i) => 5000 - i);
    expect(JSON.stringify(parse(one))).toBe(one);
  });

  test('are a 400 with more names', () => {
    const error = { status: 400, code: 'request_too_complex' };
    expect(() => parse(pairs(2501))).toThrow(expect.objectContaining(error) as Error);
  });

  test('count only those that are out of order', () => {
    expect(parse(pairs(2501).replaceAll('"2":1,"1":2', '"1":2,"2":1'))).toHaveLength(2501);
  });

  test('with more than 10,000 fields are a 400 before they are read to their end', () => {
    const error = { status: 400, code: 'object_above_max_properties' };
    for (const name of [(i: number) => 20_000 - i, (i: number) => i]) {
      expect(() => parse(`[${object(10_001, name).slice(0, -1)}`)).toThrow(expect.objectContaining(error) as Error);
    }
    expect(Object.keys(parse(object(10_001, (i) => `a${i}`)) as object)).toHaveLength(10_001);
  });
});
