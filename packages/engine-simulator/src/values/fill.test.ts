import { compileJsonSchema, GrammarError } from '@modelwire/grammar';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGrammarCache } from '@modelwire/grammar';
import { requestGrammars } from '../grammar/grammars.ts';
import { fill as fillInSteps } from './fill.ts';
import { resolved } from './schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Runs all steps at once. */
function fill(...given: Parameters<typeof fillInSteps>): unknown {
  const steps = fillInSteps(...given);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const held = requestGrammars(createGrammarCache());
const words = { text: 'The weather in "Paris" and 12 other towns', around: '', answer: 'Yes.', word: 'Yes' };
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const doubling = (levels: number): Schema => ({
  $defs: Object.fromEntries([
    ...Array.from({ length: levels }, (_, i) => [`a${i}`, { allOf: [ref(`a${i + 1}`), ref(`a${i + 1}`)] }]),
    [`a${levels}`, { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }],
  ]),
  ...ref('a0'),
});

test('definitions that refer to each other twice are resolved once each', () => {
  expect(fill(doubling(200), words, held)).toEqual({ city: 'Paris' });
});

test.each([
  ['a schema that consists of itself', { allOf: [{ $ref: '#' }] }],
  ['a chain of references in a circle', { $defs: { a: ref('b'), b: ref('a') }, ...ref('a') }],
  [
    'definitions that each add a property to all before',
    {
      $defs: Object.fromEntries(
        Array.from({ length: 1000 }, (_, i) => [
          `a${i}`,
          { allOf: [{ properties: { [`p${i}`]: {} } }, ...(i % 400 === 0 ? [] : [ref(`a${i - 1}`)])] },
        ]),
      ),
      allOf: Array.from({ length: 1000 }, (_, i) => ref(`a${i}`)),
    },
  ],
])('%s is the error of a grammar that is too large', (_, schema) => {
  expect(() => fill(schema, words, held)).toThrow(expect.objectContaining({ name: 'GrammarError', code: 'limit' }));
});

test('a list of a billion items ends where the work of one text ends', () => {
  const list = fill({ type: 'array', minItems: 1e9, items: { type: 'boolean' } }, words, held);
  expect(list).toHaveProperty('length');
  expect(JSON.stringify(list).length).toBeLessThan(20_000);
});

test('records within records within records share the work of one text', () => {
  const text = Array.from({ length: 20 }, (_, i) => `City ${i}`).join(', ');
  const record = (levels: number): Schema =>
    levels === 0
      ? { type: 'string' }
      : {
          type: 'array',
          items: {
            type: 'object',
            properties: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`city_${i}`, record(levels - 1)])),
          },
        };
  const { schema, reads } = observed(record(3));
  fill(schema, { ...words, text }, held);
  expect(reads()).toBeLessThan(maxReads);
});

const maxReads = 300_000;

/** The same document, counting every look at it. */
function observed(document: Schema): { readonly schema: Schema; reads(): number } {
  let reads = 0;
  const observe = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const copy: object = Array.isArray(value)
      ? value.map(observe)
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, observe(inner)]));
    return new Proxy(copy, {
      ownKeys: (target) => (reads++, Reflect.ownKeys(target)),
      has: (target, key) => (reads++, Reflect.has(target, key)),
      getOwnPropertyDescriptor: (target, key) => (reads++, Reflect.getOwnPropertyDescriptor(target, key)),
      get: (target, key, receiver): unknown => (reads++, Reflect.get(target, key, receiver)),
    });
  };
  return { schema: observe(document) as Schema, reads: () => reads };
}

test('whatever the schema, it is resolved, filled and compiled in bounded work, or refused as a grammar', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const { schema: anySchema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Schema>({ type: 'string' }, { type: 'integer', minimum: 3 }, { enum: ['x', 'y'] }, { $ref: '#' }),
      name.map(ref),
      fc.dictionary(fc.constantFrom('allOf', 'anyOf', 'oneOf'), fc.array(tie('schema'), { maxLength: 4 })),
      fc.record({ properties: fc.dictionary(name, tie('schema')), required: fc.array(name) }),
      fc.record({ items: tie('schema'), minItems: fc.nat({ max: 1_000_000 }) }),
      fc.tuple(tie('schema'), name).map(([schema, to]) => ({ ...schema, ...ref(to) })),
    ),
  }));
  const document = fc.dictionary(name, anySchema, { minKeys: 3 }).map(($defs) => ({ $defs, ...ref('a') }));
  const orRefused = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof GrammarError)) throw error;
    }
  };
  fc.assert(
    fc.property(document, (given) => {
      const { schema, reads } = observed(given);
      orRefused(() => resolved(schema, schema));
      orRefused(() => fill(schema, words, held));
      expect(reads()).toBeLessThan(maxReads);
      orRefused(() => expect(compileJsonSchema(given, { maxMs: Infinity }).cost.work).toBeLessThanOrEqual(3_000_000));
    }),
    { numRuns: 100 },
  );
});

test('filling a schema of thousands of values yields before each of them', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `p${i}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
  let yields = 0;
  const steps = fillInSteps({ type: 'object', properties, required: names }, words, held);
  while (steps.next().done !== true) yields++;
  expect(yields).toBe(1001);
});

test('the words are searched for at most 200 names, and for none that does not occur in them', () => {
  const letters = Array.from(
    { length: 400 },
    (_, i) => `k${String.fromCharCode(97 + (i % 26))}${'x'.repeat(1 + Math.floor(i / 26))}`,
  );
  const schema = (names: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  });
  const text = letters.map((name) => `${name}: told by ${name}`).join('\n');
  const absent = Array.from({ length: 500 }, (_, i) => `absent${i}`);
  const filled = fill(schema([...absent, ...letters]), { ...words, text }, held) as Record<string, string>;
  const found = letters.filter((name) => filled[name] === `told by ${name}`);
  expect(found).toEqual(letters.slice(0, 200));
});
