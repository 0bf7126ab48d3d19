import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { hasRawNumbers, parseExactJson, withRoundedNumbers } from './exact-json.ts';
import { isExactNumber } from './exact-number.ts';

describe('JSON', () => {
  test('of any value is parsed as by JSON.parse if that loses nothing', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.boolean(), (text, isPretty) => {
        const written = isPretty ? JSON.stringify(JSON.parse(text), null, 2) : text;
        fc.pre(!/-0(?![.\d]*[1-9])/.test(written));
        expect(parseExactJson(written)).toEqual(JSON.parse(written));
      }),
    );
  });

  test.each([
    '{"z":1,"10":2,"2":3}',
    '{"a":{"2":{"1":0,"0":0}},"b":[{"b":1,"1":2}]}',
    '{"\\u0032":1,"\\u0031":2}',
    '{"10":1,"2":9007199254740993}',
    '{"a":[9007199254740993,-9007199254740993,12345678901234567890]}',
    '{"a":[-0,-0.0,-0e5]}',
    '{"a":0.1234567890123456789}',
    '{"a":1e-400}',
    '[{"0":"0","":"\\"}{","-0":1}]',
    '9007199254740993',
  ])('%s is written as it was read', (text) => {
    expect(JSON.stringify(parseExactJson(text))).toBe(text.replaceAll(/\\u003(\d)/g, '$1'));
  });

  test('that JSON.parse keeps is parsed once', () => {
    const parse = vi.spyOn(JSON, 'parse');
    parseExactJson('{"a":[1,2.5,-3,1e3,0.10000000000000001,{"b":"1","c":"-0"}],"d":{"a1":null},"e":1e20}');
    expect(parse).toHaveBeenCalledOnce();
    parse.mockRestore();
  });

  test('with white space is parsed exactly, too', () => {
    const value = parseExactJson(
      ' { "b" : [ 1 , { "1" : true , "0" : [ ] } ] ,\n\t"10" : { } , "9" : null , "a" : -0 } ',
    );
    expect(JSON.stringify(value)).toBe('{"b":[1,{"1":true,"0":[]}],"10":{},"9":null,"a":-0}');
  });

  test.each([
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{"a":{"b":[0,{"c":1,"\\u0063":1}]}}', 'a.b[1].c'],
    ['{"x":{"__proto__":1,"__proto__":2}}', 'x.__proto__'],
  ])('%s with a name that occurs twice is a 400 that names the place', (text, param) => {
    expect(() => parseExactJson(text)).toThrow(expect.objectContaining({ status: 400, param }) as Error);
  });

  test.each([
    ['{"a":{"const":1e400}}', 'a.const'],
    ['[-1e999]', '[0]'],
    [`{"a":${'9'.repeat(400)}}`, 'a'],
  ])('%s with a number beyond doubles is a 400 that names the place', (text, param) => {
    expect(() => parseExactJson(text)).toThrow(expect.objectContaining({ status: 400, param }) as Error);
  });

  test.each(['{', '{"a":1,}', '01', '{"a":-}', ''])('%j is a SyntaxError', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  test('that is nested too deeply is a 400 if it would be parsed again', () => {
    const text = `${'{"1":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    expect(() => parseExactJson(text)).toThrow('nested deeper than');
  });

  test('of a large body is scanned in linear time', () => {
    const text = `{"a":"${'\\"x'.repeat(2_000_000)}","b":[${'{"c":1},'.repeat(50_000)}0]}`;
    expect(parseExactJson(text)).toHaveProperty('b');
  });
});

test.each([
  ['0', true],
  ['0.0', true],
  ['1.50', true],
  ['100e-2', true],
  ['0.1', true],
  ['0.10000000000000001', true],
  ['0.1000000000000000055511151231257827', true],
  ['9007199254740992', true],
  ['9007199254740993', false],
  ['9007199254740993.0', false],

  ['18446744073709551615', false],
  ['18446744073709551616', false],
  ['18446744073709552000', true],
  ['-9223372036854775808', false],
  ['1e21', true],

  ['-0', false],
  ['-0.0', false],
  ['1e400', false],
  ['1e-400', false],
  ['0e999999999999', true],
  ['0.1234567890123456789', false],
])('a double holds %s: %j', (source, isExact) => expect(isExactNumber(source)).toBe(isExact));

test('raw numbers are rounded where a schema requires numbers, and the order of names is kept', () => {
  const value = parseExactJson('{"b":[9007199254740993,"x"],"1":{"a":-0},"0":null}');
  expect(hasRawNumbers(value)).toBe(true);
  const rounded = withRoundedNumbers(value);
  expect(rounded).toEqual({ b: [9007199254740992, 'x'], '1': { a: -0 }, '0': null });
  expect(JSON.stringify(rounded)).toBe('{"b":[9007199254740992,"x"],"1":{"a":0},"0":null}');
  expect(hasRawNumbers(rounded)).toBe(false);
  expect(withRoundedNumbers(rounded)).toBe(rounded);
});
