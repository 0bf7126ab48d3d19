import { compileJsonSchema, GrammarError } from '@modelwire/grammar';
import type { Steps } from '@modelwire/grammar';
import { countReads } from '@modelwire/vitest/count-reads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeJson } from './write-json.ts';
import type { ValueSource } from './candidates.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The steps of writing a value of the schema. `seen`: the schema that is passed to the writer. */
function steps(schema: Schema, source: ValueSource, passedSchema = schema): Steps<string> {
  return writeJson(compileJsonSchema(schema, { maxMs: Infinity }), passedSchema, source);
}

/** Runs all steps synchronously. */
function write(...args: Parameters<typeof steps>): unknown {
  const running = steps(...args);
  for (;;) {
    const step = running.next();
    if (step.done === true) return JSON.parse(step.value);
  }
}

const source: ValueSource = {
  text: 'The weather in "Paris" and 12 other towns',
  context: '',
  reply: { text: 'Yes.', word: 'Yes' },
  conversation: { calls: [], instructions: '' },
};
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const doubling = (levels: number): Schema => ({
  $defs: Object.fromEntries([
    ...Array.from({ length: levels }, (_, i) => [`a${i}`, { allOf: [ref(`a${i + 1}`), ref(`a${i + 1}`)] }]),
    [`a${levels}`, { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }],
  ]),
  ...ref('a0'),
});

test('takes values from the text by the names of fields, also if definitions refer to each other', () => {
  expect(write(doubling(20), source)).toEqual({ city: 'Paris' });
});

test('takes the default or an example of a member for which the text has no value', () => {
  const schema = {
    type: 'object',
    properties: {
      retries: { type: 'integer', default: 7 },
      colour: { type: 'string', examples: ['teal', 'ochre'] },
    },
    required: ['retries', 'colour'],
    additionalProperties: false,
  };
  expect(write(schema, { ...source, text: 'Configure it' })).toEqual({ retries: 7, colour: 'teal' });
});

test.each([
  ['a schema that only refers to itself', { allOf: [{ $ref: '#' }] }],
  ['a circular chain of references', { $defs: { a: ref('b'), b: ref('a') }, ...ref('a') }],
  [
    'definitions that each extend all previous ones',
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
])('%s is rejected with the error of its grammar', (_, schema) => {
  expect(() => write(schema, source)).toThrow(expect.objectContaining({ name: 'GrammarError' }));
});

test('an array of ten thousand items is completed with the shortest values after those of one text', () => {
  const list = write({ type: 'array', minItems: 10_000, items: { type: 'boolean' } }, source);
  expect(list).toHaveLength(10_000);
});

test('nested objects share the values of one text', () => {
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
  let values = 0;
  const running = steps(record(3), { ...source, text });
  while (running.next().done !== true) values++;
  expect(values).toBeLessThanOrEqual(2000);
});

const maxReads = 300_000;

test('for any schema, a valid text is written with limited work, or its grammar is rejected', () => {
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
      const { document: schema, reads } = countReads<Schema>(given);
      orRefused(() => write(given, source, schema));
      expect(reads()).toBeLessThan(maxReads);
    }),
    { numRuns: 100 },
  );
});

test('writing thousands of values yields before each of them', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `p${i}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
  let yields = 0;
  const running = steps({ type: 'object', properties, required: names }, source);
  while (running.next().done !== true) yields++;
  expect(yields).toBeGreaterThanOrEqual(1001);
});

test('searches the text for at most 200 names, and only for those that occur in it', () => {
  const letters = Array.from(
    { length: 400 },
    (_, i) => `k${String.fromCharCode(97 + (i % 26))}${'x'.repeat(1 + Math.floor(i / 26))}`,
  );
  const schema = (names: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  });
  const text = letters.map((name) => `${name}: v ${name}`).join('\n');
  const absent = Array.from({ length: 500 }, (_, i) => `absent${i}`);
  const written = write(schema([...absent, ...letters]), { ...source, text }) as Record<string, string>;
  const found = letters.filter((name) => written[name] === `v ${name}`);
  expect(found).toEqual(letters.slice(0, 200));
});
