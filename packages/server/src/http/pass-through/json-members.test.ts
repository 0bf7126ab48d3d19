import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonMembers } from './json-members.ts';

const paths = ['model', 'usage', 'response.usage'];

/** What is found in a text that arrives in pieces of a size. */
function membersOf(json: string, pieceBytes = Infinity, maxBytes = 1000) {
  const bytes = new TextEncoder().encode(json);
  const members = new JsonMembers(paths, maxBytes);
  const size = Math.min(pieceBytes, Math.max(1, bytes.length));
  const found = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...members.write(bytes.subarray(at, at + size)));
  for (const { start, end, text } of found) expect(new TextDecoder().decode(bytes.subarray(start, end))).toBe(text);
  return found.map(({ path, text }) => [path, JSON.parse(text) as unknown]);
}

test.each([
  ['a string', '{"model":"a"}', [['model', 'a']]],
  ['white space', ' {\n "input" : [1, 2],\t"model" :\n "a" }', [['model', 'a']]],
  ['an escaped key', '{"\\u006dodel":"a"}', [['model', 'a']]],
  ['escaped quotes', '{"input":"\\\\\\"\\\\","model":"a\\"b"}', [['model', 'a"b']]],
  ['an object', '{"data":[{"usage":1}],"usage":{"a":[1,{"b":2}]}}', [['usage', { a: [1, { b: 2 }] }]]],
  ['a member of a member', '{"response":{"id":"r","usage":{"a":1}}}', [['response.usage', { a: 1 }]]],
  [
    'numbers and null',
    '{"model":null,"usage":12}',
    [
      ['model', null],
      ['usage', 12],
    ],
  ],
  ['members further inside are others', '{"a":{"model":"x"},"b":[{"model":"y"}],"c":{"response":{"usage":1}}}', []],
  ['text that looks like a member', '{"input":"\\"model\\":\\"x\\"","a":"model"}', []],
  ['an array', '[{"model":"a"}]', []],
  ['text', '"model"', []],
])('finds members of JSON: %s', (_, json, expected) => {
  for (const size of [Infinity, 1, 2, 3, 7]) expect(membersOf(json, size)).toEqual(expected);
});

test('does not report a value that is too long, and finds those after it', () => {
  expect(membersOf(`{"model":"${'x'.repeat(200)}","usage":1}`, 10, 100)).toEqual([['usage', 1]]);
});

test('finds what JSON.parse finds, however the bytes are split', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.nat(20), (rest, model, size) => {
      const { model: _, usage, response, ...others } = rest;
      const found = membersOf(JSON.stringify({ ...others, model }), size + 1, 1e6);
      expect(found.filter(([path]) => path === 'model')).toEqual([['model', JSON.parse(JSON.stringify(model))]]);
    }),
    { numRuns: 200 },
  );
});

test('finds the same in invalid JSON, however the bytes are split', () => {
  const texts = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\\',
    '{"model":"a',
    '\\"',
    '\\\\',
    '{"usage":[1',
    '"model":2,',
    'ü',
    ' ',
  ];
  const pieces = fc.constantFrom(...texts);
  const valueTexts = (bytes: Uint8Array, pieceBytes: number): string[] => {
    const members = new JsonMembers(paths, 100);
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      for (const { path, text } of members.write(bytes.subarray(at, at + pieceBytes))) found.push(`${path}: ${text}`);
    }
    return found;
  };
  fc.assert(
    fc.property(fc.array(pieces), fc.integer({ min: 1, max: 9 }), (json, pieceBytes) => {
      const bytes = new TextEncoder().encode(json.join(''));
      expect(valueTexts(bytes, pieceBytes)).toEqual(valueTexts(bytes, Infinity));
    }),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(valueTexts(bytes, 1)).toEqual(valueTexts(bytes, Infinity));
    }),
  );
});

test.each([
  ['{"model":"a","model":"b"}', true],
  ['{"model":"a","mod\\u0065l":"b"}', true],
  ['{"model":"a","MODEL":"b"}', true],
  ['{"model":"a","model":null}', true],
  [`{"model":"a","model":"${'x'.repeat(2000)}"}`, true],
  ['{"model":"a","input":{"model":"b"},"text":"\\"model\\":"}', false],
])('reports whether other parsers could find another value: %.60s', (json, isAmbiguous) => {
  for (const size of [1, 5, 10_000]) {
    const members = new JsonMembers(['model'], 1000);
    const bytes = new TextEncoder().encode(json);
    for (let at = 0; at < bytes.length; at += size) members.write(bytes.subarray(at, at + size));
    expect(members.isAmbiguous).toBe(isAmbiguous);
  }
});
