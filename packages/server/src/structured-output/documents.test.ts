import { compileJsonSchema, compileLark, compileRegex } from '@modelwire/grammar';
import type { JsonSchemaOptions } from '@modelwire/grammar';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Alternatives } from './alternatives.ts';
import type { DocumentReader } from './document-reader.ts';
import { jsonDocuments } from './json-document.ts';
import { textDocuments } from './text-document.ts';

const loose = { unspecified: 'allow', propertyOrder: 'any', longIntegers: true } as const;
const documents = (schema: unknown, options: JsonSchemaOptions = loose, integersHaveNoPoint = false) =>
  jsonDocuments(compileJsonSchema(schema, options).start(), 'JSON', integersHaveNoPoint);
const anything = documents({});

/** What is released after each piece and at the end, and how the text ended. */
function read(reader: DocumentReader, pieces: Iterable<string>) {
  const taken: string[] = [];
  for (const piece of pieces) {
    reader.write(piece);
    taken.push(reader.take());
  }
  const outcome = reader.end();
  taken.push(reader.take());
  return { taken, text: taken.join(''), outcome, reason: reader.rejection?.reason, at: reader.rejection?.position };
}

const person = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    kind: { enum: ['é', 'b'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name'],
};

describe('a right document passes byte for byte', () => {
  test.each([
    '{"name":"a"}',
    ' {\n  "age" : 3.0,\r\n\t"name": "\\u00e9\\/\\ud83d\\ude00 😀" , "tags": [ ] }\n',
    '{"kind":"\\u00e9","name":"True, ```, ,} and \'apostrophes\' // stay","more":{"a":[1e2,-0.5,null,true,false]}}',
    '{"tags":["a","b"],"name":""}',
    '{ }',
  ])('%s', (text) => {
    const { text: released, outcome } = read(
      documents(text === '{ }' ? { type: 'object' } : person).read(),
      text.split(''),
    );
    expect(released).toBe(text);
    expect(outcome).toBe('unchanged');
  });

  test.each([
    [{ type: 'integer' }, '42'],
    [{ type: 'string' }, '"a\\"b"'],
    [{ type: 'boolean' }, 'true'],
    [{ type: 'array', items: { type: 'number' } }, '[1, 2.50]'],
    [{ type: 'number', minimum: -90, maximum: 90 }, '13.404953999999998'],
    [{ type: 'number', minimum: 0, maximum: 1 }, '1.5e-7'],
    [{ type: 'integer' }, '9007199254740993'],
    [{ type: 'integer' }, `-${'1'.repeat(22)}`],
    [{ type: 'integer', minimum: 0 }, '1'.repeat(400)],
    [{ type: 'integer', minimum: 0, maximum: 1e19 }, '1234567890123456789'],
    [{ type: 'number', exclusiveMinimum: 0 }, '12345678901234567'],
    [{ type: 'number' }, '1'.repeat(400)],
  ])('%j: %s', (schema, text) => {
    expect(read(documents(schema).read(), [text])).toMatchObject({ text, outcome: 'unchanged' });
    expect(read(documents(schema).read(), text)).toMatchObject({ text, outcome: 'unchanged' });
  });
});

describe('a name that is repeated, of whose values JSON.parse takes the last', () => {
  const kinds = {
    type: 'object',
    properties: { kind: { enum: ['a', 'b'] }, value: {} },
    anyOf: [
      { properties: { kind: { const: 'a' }, value: { type: 'string' } } },
      { properties: { kind: { const: 'b' }, value: { type: 'integer' } } },
    ],
    required: ['kind', 'value'],
    additionalProperties: false,
  };

  test.each([
    [person, '{"name":"a","name":"b"}'],
    [person, '{"name":"a","x":{"y":1,"y":[{"y":2,"y":3}]},"age":1}'],
    [person, '{"tags":["b"],"tags" : [ ],"name":"a"}'],
    [kinds, '{"kind":"a","value":"x","value":"y"}'],
  ])('passes byte for byte: %j: %s', (schema, text) => {
    for (const pieces of [[text], text.split('')])
      expect(read(documents(schema).read(), pieces)).toMatchObject({ text, outcome: 'unchanged' });
  });

  test.each([
    ['with a value that does not match', '{"kind":"a","kind":"c","value":"x"}'],
    ['with values that do not match together', '{"kind":"a","value":"x","kind":"b"}'],
    ['without what is required', '{"kind":"a","kind":"a"}'],
  ])('is invalid %s', (_, text) => {
    for (const pieces of [[text], text.split('')])
      expect(read(documents(kinds).read(), pieces).outcome).toBeUndefined();
  });
});

test('what can still become invalid waits: commas with their whitespace, names and numbers, brackets before the first name', () => {
  const pieces = ['{', '"na', 'me"', ':"', 'A', 'nn"', ',\n', '"age', '":1', '2', '}'];
  const { taken } = read(documents(person).read(), pieces);
  expect(taken).toEqual(['', '', '{"name"', ':"', 'A', 'nn"', '', '', ',\n"age":', '', '12}', '']);
});

describe('a text is cleaned without changing a value', () => {
  test.each([
    ['a code fence', '```json\n{"name":"a"}\n```', '{"name":"a"}'],
    ['a code fence in one line', '```{"name":"a"}```', '{"name":"a"}'],
    ['prose before and after, with brackets', 'Here is {the answer} [1]: {"name":"a"} Anything else?', '{"name":"a"}'],
    ['thoughts that have a document', '<think>Use {"name":"x"}?</think>\n```\n{"name":"a"}```', '{"name":"a"}'],
    ['a byte order mark', '\ufeff{"name":"a"}', '{"name":"a"}'],
    ['documents after the first', '{"name":"a"} or {"name":"b"}{"name":"c"}', '{"name":"a"}'],
    ['commas before closing brackets', '{"name":"a","tags":["b", ],}', '{"name":"a","tags":["b" ]}'],
    ['single quotes', `{'name': 'it\\'s "a"'}`, '{"name": "it\'s \\"a\\""}'],
    [
      'literals of Python',
      '{"name":"None","a":True,"b":None,"c":[False]}',
      '{"name":"None","a":true,"b":null,"c":[false]}',
    ],
    ['unescaped control characters', '{"name":"a\n\tb"}', '{"name":"a\\n\\tb"}'],
    ['names without quotes and comments', '{name: "a", /* x */ age: 1 // y\n}', '{"name": "a",  "age": 1 }'],
    [
      'nothing within strings',
      "```\n{'name': 'True ```json ,} None // no', 'age': 1,}\n```",
      `{"name": "True \`\`\`json ,} None // no", "age": 1}`,
    ],
  ])('%s', (_, text, cleaned) => {
    for (const pieces of [[text], text.split('')])
      expect(read(documents(person).read(), pieces)).toMatchObject({ text: cleaned, outcome: 'cleaned' });
  });
});

test('missing closing brackets are appended, and nothing else', () => {
  const closed = (text: string) => read(documents(person).read(), [text]);
  expect(closed('{"name":"a","tags":["b"')).toMatchObject({ text: '{"name":"a","tags":["b"]}', outcome: 'closed' });
  expect(closed('{"name":"a","age":12')).toMatchObject({ text: '{"name":"a","age":12}', outcome: 'closed' });
  expect(closed('{"name":"a",')).toMatchObject({ text: '{"name":"a"}', outcome: 'closed' });
  expect(closed('{"name":"a')).toMatchObject({
    text: '{"name":"a',
    outcome: undefined,
    reason: 'it ends too early at $.name',
  });
  expect(closed('{"age":12')).toMatchObject({ text: '{"age":', outcome: undefined });
  expect(closed('{"name":"a","age":tr')).toMatchObject({ text: '{"name":"a","age":', outcome: undefined });
});

describe('an invalid document is rejected where it is wrong', () => {
  test.each([
    ['{"name":"a","name":1}', '{"name":"a","name":', 'it does not match the schema at $.name', 20],
    ['{"name":1}', '{"name":', 'it does not match the schema at $.name', 9],
    ['{"name":"a","age":1.5}', '{"name":"a","age":', 'it does not match the schema at $.age', 21],
    ['{"name":"a","tags":["b",1]}', '{"name":"a","tags":["b"', 'it does not match the schema at $.tags[1]', 25],
    ['{"age":1}', '{"age":1', 'it does not match the schema at $.age', 8],
    ['{"name":"a\ud800"}', '{"name":"a', 'it does not match the schema at $.name', 11],
    ['{"name":"a","age":NaN}', '{"name":"a","age":', 'it has the invalid value "Na" at $.age', 19],
    ['{"name":"a","age":-Infinity}', '{"name":"a","age":', 'it has the invalid number - at $.age', 19],
    ['no', '', 'it has no JSON', 2],
    ['<think>{"name":"a"}', '', 'it has no JSON', 19],
  ])('%s', (text, released, reason, at) => {
    expect(read(documents(person).read(), [text])).toMatchObject({ text: released, outcome: undefined, reason, at });
    expect(read(documents(person).read(), text)).toMatchObject({ text: released, outcome: undefined, reason, at });
  });

  test('the start of a number that the schema allows is not released, and a number that was sent is repeated whole', () => {
    const number = { type: 'integer', enum: [35] };
    expect(read(documents({ type: 'integer', maximum: 2 ** 53 - 1 }).read(), ['1'.repeat(18)]).outcome).toBeUndefined();
    expect(read(documents({ type: 'integer', maximum: 0 }).read(), ['1'.repeat(22)]).outcome).toBeUndefined();
    for (const text of ['3x5', '3', '3 5'])
      expect(read(documents(number).read(), [text])).toMatchObject({ text: '', outcome: undefined });
    const inside = documents({ type: 'object', properties: { n: number } }).read();
    expect(read(inside, ['{"n":3}'])).toMatchObject({ text: '{"n":', reason: 'it does not match the schema at $.n' });
    expect(read(documents({ type: 'integer' }).read('3'), ['35'])).toMatchObject({ text: '', outcome: undefined });
  });

  test('an integer with a decimal point is one from draft 6 on', () => {
    expect(read(documents({ type: 'integer' }).read(), ['3.0']).outcome).toBe('unchanged');
    expect(read(documents({ type: 'integer' }, loose, true).read(), ['3.0']).outcome).toBeUndefined();
  });

  test('a document that is too deep', () => {
    expect(read(anything.read(), ['{"a":', '['.repeat(100_000)]).reason).toContain('too large to be checked');
  });
});

describe('a document goes on from its valid prefix', () => {
  const begun = (text: string) => {
    const reader = documents(person).read();
    const { text: sent } = read(reader, [text]);
    const { canonical } = reader;
    const alternatives = () => new Alternatives([documents(person).read(canonical), reader.rest()]);
    return { sent, answer: (more: Iterable<string>) => read(alternatives(), more) };
  };

  test.each([
    ['{"name":"Ann","age":x', '1}', '{"name":"Ann","age":1}'],
    ['{"name":"Ann","age":x', '{ "name" : "Ann", "age": 1, "more": 2}', '{"name":"Ann","age": 1, "more": 2}'],
    ['{"name":"An', 'n"}', '{"name":"Ann"}'],
    ['{"name":"An', '```json\n{"name":"Ann", "age":2}\n```', '{"name":"Ann", "age":2}'],
    ['{"name":"Ann",7', ', "age": 2}', '{"name":"Ann", "age": 2}'],
    ['{"name":"Ann","name"', ':"Bob", "age": 2}', '{"name":"Ann","name":"Bob", "age": 2}'],
    ['{"name":"Ann","tags":[1', '```json\n"b"]}\n```', '{"name":"Ann","tags":["b"]}'],
  ])('%s, then %s', (first, second, whole) => {
    const { sent, answer } = begun(first);
    for (const pieces of [[second], second.split('')]) expect(sent + answer(pieces).text).toBe(whole);
  });

  test('a whole document that does not begin with what was sent is rejected', () => {
    const { answer } = begun('{"name":"Ann","age":x');
    expect(answer(['{"name":"Bob","age":1}'])).toMatchObject({ text: '', outcome: undefined });
  });
});

test('texts of a regular expression and a grammar pass as far as they match', () => {
  const regex = textDocuments(compileRegex('[a-c]+\\d😀?').start(), 'text');
  expect(read(regex.read(), ['ab', 'c1', '\ud83d', '\ude00'])).toMatchObject({ text: 'abc1😀', outcome: 'unchanged' });
  expect(read(regex.read(), ['abc1\n'])).toMatchObject({ text: 'abc1', outcome: 'cleaned' });
  expect(read(regex.read(), ['ab', '\ud83d', 'c1'])).toMatchObject({ text: 'ab', outcome: undefined, at: 2 });
  expect(read(regex.read(), ['abcd'])).toMatchObject({ text: 'abc', reason: 'it does not match the grammar', at: 3 });
  const lark = textDocuments(compileLark('start: "(" start ")" | "x"').start(), 'text');
  expect(read(lark.read(), ['((x)'])).toMatchObject({ text: '((x)', reason: 'it ends too early' });
});

test('whatever a text contains, what is released is the prefix of a valid document, in pieces of any length', () => {
  const alphabet = fc.constantFrom(
    ...Array.from('{}[]",:\'` \n\\1-.eau'),
    '"a":',
    '"b":1',
    'true',
    'None',
    '```json\n',
    '\ud83d',
    '\\u00e9',
  );
  const texts = fc.array(alphabet, { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, fc.array(fc.nat(5), { minLength: 1 }), fc.json(), (noise, sizes, json) => {
      for (const text of [noise, json.slice(0, 20) + noise, json]) {
        const pieces: string[] = [];
        for (let at = 0, index = 0; at < text.length; index++) {
          const size = 1 + (sizes[index % sizes.length] ?? 0);
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        const reader = anything.read();
        const { text: released, outcome } = read(reader, pieces);
        if (outcome) expect(() => void JSON.parse(released)).not.toThrow();
        expect(read(anything.read(), [text])).toMatchObject({ text: released, outcome });
        if (text === json) expect(released).toBe(json);
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});
