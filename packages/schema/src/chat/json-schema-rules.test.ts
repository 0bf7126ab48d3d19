import { countReads } from '@modelwire/vitest/count-reads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JSON_SCHEMA_MAX_EXPANSION, JSON_SCHEMA_MAX_SCHEMAS } from '../limits.ts';
import { createSchemaCounter } from './json-schema-size.ts';
import { parseChatCompletionCreate } from './parse.ts';

type Schema = Readonly<Record<string, unknown>>;

const base = { model: 'm', messages: [{ role: 'user', content: 'x' }] };
const asFormat = (schema: Schema) => ({
  ...base,
  response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } },
});
const asTool = (parameters: Schema) => ({
  ...base,
  tools: [{ type: 'function', function: { name: 'f', parameters } }],
});
const asFunction = (parameters: Schema) => ({ ...base, functions: [{ name: 'f', parameters }] });
const containing = (text: string): unknown => expect.stringContaining(text);
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

/** Each definition refers twice to the next: 2^levels schemas in a few hundred bytes. */
const doubling = (levels: number, keyword: string): Schema => ({
  type: 'object',
  $defs: Object.fromEntries([
    ...Array.from({ length: levels }, (_, i) => [`a${i}`, { [keyword]: [ref(`a${i + 1}`), ref(`a${i + 1}`)] }]),
    [`a${levels}`, { type: 'string' }],
  ]),
  properties: { value: ref('a0') },
});

test.each([
  ['response_format.json_schema.schema', asFormat],
  ['tools[0].function.parameters', asTool],
  ['functions[0].parameters', asFunction],
] as const)('%s: a schema that grows without bound when it is followed is refused', (param, body) => {
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    expect(parseChatCompletionCreate(body(doubling(30, keyword)))).toMatchObject({
      ok: false,
      problem: {
        code: 'invalid_json_schema',
        param,
        message: containing(`more than ${JSON_SCHEMA_MAX_EXPANSION} schemas for one value`),
      },
    });
    expect(parseChatCompletionCreate(body(doubling(10, keyword))).ok).toBe(true);
  }
});

test.each([
  ['a schema that refers to itself twice', { allOf: [{ $ref: '#' }] }],
  [
    'one of two that lead to each other',
    { $defs: { a: ref('b'), b: { anyOf: [ref('a')] } }, properties: { x: ref('a') } },
  ],
  ['a reference within `not`', { not: { $ref: '#' } }],
  [
    'a reference outside of the schema keywords',
    { hidden: { here: { $ref: '#/hidden/here' } }, $ref: '#/hidden/here' },
  ],
])('%s is refused', (_, schema) => {
  expect(parseChatCompletionCreate(asTool(schema))).toMatchObject({
    problem: {
      code: 'invalid_json_schema',
      param: 'tools[0].function.parameters',
      message: containing('refers to its own schema'),
    },
  });
});

test.each([
  ['a list of itself', { properties: { children: { type: 'array', items: { $ref: '#' } } } }],
  [
    'a linked list',
    { $defs: { node: { properties: { next: { anyOf: [ref('node'), { type: 'null' }] } } } }, ...ref('node') },
  ],
  ['a property with the name of a keyword', { properties: { $ref: { type: 'string' }, allOf: { type: 'string' } } }],
  ['a reference to another document', { $ref: 'https://example.com/schema' }],
  ['a reference to nothing', { $ref: '#/$defs/nothing/%E0%A4%A' }],
  [
    'an example that looks like a schema',
    { type: 'object', default: { $ref: '#' }, examples: [{ allOf: [{ $ref: '#' }] }] },
  ],
])('%s is taken', (_, schema) => {
  expect(parseChatCompletionCreate(asTool(schema)).ok).toBe(true);
});

test('counts the schemas of all fields of a request together', () => {
  const half = { items: { anyOf: Array.from({ length: JSON_SCHEMA_MAX_EXPANSION - 10 }, () => ({ type: 'string' })) } };
  const tools = (count: number) => ({
    ...base,
    tools: Array.from({ length: count }, (_, i) => ({
      type: 'function',
      function: { name: `f${i}`, parameters: half },
    })),
  });
  expect(parseChatCompletionCreate(tools(2)).ok).toBe(true);
  expect(parseChatCompletionCreate(tools(3))).toMatchObject({
    problem: {
      code: 'invalid_json_schema',
      param: 'tools[2].function.parameters',
      message: containing(`at most ${JSON_SCHEMA_MAX_SCHEMAS} subschemas in total`),
    },
  });
});

test('a chain of thousands of references does not overflow the call stack', () => {
  const length = 9000;
  const $defs = Object.fromEntries(Array.from({ length }, (_, i) => [`a${i}`, i === 0 ? {} : ref(`a${i - 1}`)]));
  expect(parseChatCompletionCreate(asTool({ $defs, ...ref(`a${length - 1}`) })).ok).toBe(true);
});

test('the work to measure any schema is limited, and never throws', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const { schema: anySchema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constant({ type: 'string' }),
      name.map(ref),
      fc.constant({ $ref: '#' }),
      fc.dictionary(fc.constantFrom('allOf', 'anyOf', 'oneOf'), fc.array(tie('schema'), { maxLength: 4 })),
      fc.record({ properties: fc.dictionary(name, tie('schema')), items: tie('schema') }),
      fc.tuple(tie('schema'), name).map(([schema, to]) => ({ ...schema, ...ref(to) })),
    ),
  }));
  const document = fc.dictionary(name, anySchema, { minKeys: 3 }).map(($defs) => ({ $defs, ...ref('a') }));
  const maxSchemas = 500;
  fc.assert(
    fc.property(document, (given) => {
      const { document: schema, reads } = countReads<Schema>(given);
      expect([undefined, 'schemas', 'expansion', 'circular']).toContain(createSchemaCounter(maxSchemas).add(schema));
      expect(reads()).toBeLessThan(100 * maxSchemas);
    }),
    { numRuns: 200 },
  );
});

test('a $ref to an anchor or to another document is not followed', () => {
  const root = { $defs: { part: { $anchor: 'part', type: 'string' } } };
  for (const $ref of ['#part', 'other.json', 'https://example.com/schema#/$defs/part']) {
    const schema = { ...root, properties: { value: { $ref } }, allOf: [{ $ref }] };
    expect(createSchemaCounter(100).add(schema)).toBeUndefined();
  }
  expect(createSchemaCounter(100).add({ allOf: [{ $ref: '#' }] })).toBe('circular');
  expect(createSchemaCounter(100).add({ $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' })).toBe('circular');
});
