import { compileJsonSchema } from '@modelwire/grammar';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChatRequest } from '@modelwire/ports';
import { createSimulator } from './simulator.ts';
import { collect, request } from './testing/requests.ts';
import { strictSchemas } from './testing/schemas.ts';
import { loadTokenizer } from './tokens/tokenizer.ts';
import type { Tokenizer } from './tokens/tokenizer.ts';

const engine = createSimulator();
let tokenizer: Tokenizer;
beforeAll(async () => {
  await engine.ready();
  tokenizer = await loadTokenizer();
});
const judge = addFormats.default(new Ajv2020({ strict: false, logger: false }));

const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const strict = (schema: Record<string, unknown>) => format(schema, true);
const format = (schema: Record<string, unknown>, isStrict = false): ChatRequest['response_format'] => ({
  type: 'json_schema',
  json_schema: { name: 'reply', schema, strict: isStrict },
});
const ask = (prompt: string, response_format: ChatRequest['response_format'], overrides: Partial<ChatRequest> = {}) =>
  collect(engine, request(prompt, { response_format, temperature: 0, ...overrides }));
const parsedReply = async (...args: Parameters<typeof ask>): Promise<unknown> =>
  JSON.parse((await ask(...args)).texts[0] ?? '');

describe('a reply with a schema', () => {
  test('contains words of the prompt, selected by name and type of the fields', async () => {
    const schema = object({
      name: { type: 'string' },
      age: { type: 'integer' },
      city: { type: 'string' },
      email: { type: 'string', format: 'email' },
      phone: { type: ['string', 'null'] },
      unit: { enum: ['celsius', 'fahrenheit'] },
    });
    const prompt = 'My name is John Smith, I am 42 years old and live in Paris. Use Fahrenheit. Mail me at j@x.org';
    expect(await parsedReply(prompt, strict(schema))).toEqual({
      ...{ name: 'John Smith', age: 42, city: 'Paris', email: 'j@x.org', phone: null, unit: 'fahrenheit' },
    });
  });

  test('contains the answer in a field with a corresponding name', async () => {
    const schema = object({
      steps: { type: 'array', items: object({ explanation: { type: 'string' }, output: { type: 'string' } }) },
      final_answer: { type: 'string' },
    });
    expect(await parsedReply('What is 6 * 7?', strict(schema))).toEqual({
      steps: [{ explanation: '6 * 7 = 42.', output: '42' }],
      final_answer: '42',
    });
  });

  test('contains the list of the prompt', async () => {
    const schema = object({ participants: { type: 'array', items: { type: 'string' } } });
    expect(await parsedReply('Alice and Bob go to a fair.', strict(schema))).toEqual({
      participants: ['Alice', 'Bob'],
    });
    const numbers = object({ values: { type: 'array', items: { type: 'integer' }, maxItems: 3 } });
    expect(await parsedReply('Take 4, 8, 15 and 16', strict(numbers))).toEqual({ values: [4, 8, 15] });
  });

  test('is streamed with the same text, and supports n, seed and stop', async () => {
    const schema = strict(object({ answer: { type: 'string' }, sure: { type: 'boolean' } }));
    const many = await ask('Tell me about clocks', schema, { n: 3, seed: 4, temperature: 1.6 });
    for (const text of many.texts) expect(JSON.parse(text)).toMatchObject({ sure: expect.any(Boolean) as boolean });
    const again = await ask('Tell me about clocks', schema, { seed: 4, temperature: 1.6 });
    expect(again.texts[0]).toBe(many.texts[0]);
    const stopped = await ask('Hello!', schema, { stop: ['"sure'] });
    expect(stopped.texts[0]).toMatch(/^\{"answer":"[^"]+",$/);
    expect(stopped.finishes).toEqual(['stop']);
  });

  test('has log probabilities of 0: the planned text is the only one that can be generated', async () => {
    const schema = strict(object({ unit: { enum: ['celsius', 'kelvin'] } }));
    const { logprobs, texts } = await ask('Kelvin, please', schema, { logprobs: true, top_logprobs: 20 });
    expect(texts[0]).toBe('{"unit":"kelvin"}');
    expect(logprobs[0]?.map(({ token }) => token).join('')).toBe(texts[0]);
    for (const { token, logprob, top_logprobs: top } of logprobs[0] ?? []) {
      expect([logprob, top.map((one) => one.token)]).toEqual([0, [token]]);
    }
  });

  test('follows the schema with any logit_bias and penalties', async () => {
    const schema = object({ a: { type: 'string' }, b: { type: 'array', items: { type: 'integer' } } });
    // `{"`, `":` and `",`, which the syntax requires.
    const logit_bias = { '10848': -100, '1243': -100, '672': -100, '90': -100 };
    const sampling = { logit_bias, frequency_penalty: 2, presence_penalty: 2, temperature: 1, seed: 2 };
    const { texts } = await ask('Hello!', strict(schema), sampling);
    expect(judge.validate(schema, JSON.parse(texts[0] ?? ''))).toBe(true);
  });

  test('is completed at the token limit, and finishes with length', async () => {
    const schema = object({ answer: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } });
    for (const max_completion_tokens of [12, 16, 30]) {
      const cut = await ask('Write an essay about maps', strict(schema), { max_completion_tokens, verbosity: 'high' });
      expect(cut.finishes).toEqual(['length']);
      expect(judge.validate(schema, JSON.parse(cut.texts[0] ?? ''))).toBe(true);
      expect(cut.usage?.completion_tokens).toBeLessThanOrEqual(max_completion_tokens);
    }
    const truncated = await ask('Hello!', strict(schema), { max_completion_tokens: 3 });
    expect([truncated.finishes, truncated.usage?.completion_tokens]).toEqual([['length'], 3]);
  });

  test.each<[string, Record<string, unknown>, boolean, string]>([
    [
      'a property that is not required',
      { ...object({ a: {} }), required: [] },
      true,
      'response_format.json_schema.schema.required',
    ],
    [
      'no type',
      object({
        a: { type: 'object', properties: { 'odd key': {} }, required: ['odd key'], additionalProperties: false },
      }),
      true,
      'response_format.json_schema.schema.properties.a.properties["odd key"]',
    ],
    [
      'a bad pattern',
      object({ a: { anyOf: [{ type: 'null' }, { type: 'string', pattern: '(?=x)' }] } }),
      true,
      'response_format.json_schema.schema.properties.a.anyOf[1].pattern',
    ],
    [
      'an unknown format',
      {
        type: 'object',
        properties: { a: { type: 'string', format: 'iri' } },
        required: ['a'],
        additionalProperties: false,
      },
      true,
      'response_format.json_schema.schema.properties.a.format',
    ],
    [
      'a keyword that cannot be enforced, not strict',
      { unevaluatedProperties: false },
      false,
      'response_format.json_schema.schema.unevaluatedProperties',
    ],
    [
      'a schema without valid values',
      { type: 'integer', minimum: 2, maximum: 1 },
      false,
      'response_format.json_schema.schema',
    ],
  ])('rejects %s and names its path', async (_, schema, isStrict, param) => {
    await expect(ask('Hello!', format(schema, isStrict))).rejects.toMatchObject({
      status: 400,
      param,
      code: 'invalid_json_schema',
    });
  });

  test('that is not strict may omit optional properties, and may not be an object', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } };
    expect(await parsedReply('Three days in Rome', format(schema))).toEqual({ city: 'Rome', days: 3 });
    expect(await parsedReply('Rome', format(schema))).toEqual({ city: 'Rome' });
    expect(await parsedReply('Hello, Rome', format({ type: 'array', items: { type: 'string' }, minItems: 1 }))).toEqual(
      ['Rome'],
    );
  });
});

describe('JSON mode', () => {
  test('is an object with the keys that the messages name, or with the key `answer`', async () => {
    const json = { type: 'json_object' } as const;
    expect(await parsedReply('JSON with keys name and age: my name is Bo and I am 7 years old', json)).toEqual({
      name: 'Bo',
      age: 7,
    });
    const city = await parsedReply('Describe Paris as JSON with keys name, population and is_capital', json);
    expect(Object.values(city as object).map((one) => typeof one)).toEqual(['string', 'number', 'boolean']);
    const joke =
      "Tell me a joke about cats. Return the result as a JSON with 'setup' and 'punchline' keys. Return nothing else.";
    expect(Object.keys((await parsedReply(joke, json)) as object)).toEqual(['setup', 'punchline']);
    expect(await parsedReply('What is 2 + 2? In JSON', json)).toEqual({ answer: '2 + 2 = 4.' });
    for (let seed = 0; seed < 20; seed++) {
      const { texts, finishes } = await ask('JSON about rivers', json, {
        seed,
        temperature: 2,
        max_completion_tokens: 60,
      });
      expect([JSON.parse(texts[0] ?? ''), finishes]).toEqual([
        expect.any(Object),
        [expect.stringMatching(/stop|length/)],
      ]);
    }
  });
});

describe('random schemas', () => {
  test('returns valid values for any schema at any temperature, and at any sufficient limit', async () => {
    // A few hundred runs by default; RUNS=10000 for an extensive test.
    const numRuns = Number(process.env['RUNS'] ?? 250);
    await fc.assert(
      fc.asyncProperty(
        strictSchemas,
        fc.nat(),
        fc.constantFrom(0, 1, 2),
        fc.integer({ min: 40, max: 400 }),
        async (schema, seed, temperature, limit) => {
          const refused = (error: unknown): string => {
            // A schema without valid values: contradictory bounds, or unbounded recursion.
            expect(error).toMatchObject({ status: 400, code: 'invalid_json_schema' });
            return 'refused';
          };
          const prompt = 'Book 2 rooms in Paris for John Smith from 2026-03-01, mail a@b.org: "no smoking", please.';
          const whole = await ask(prompt, strict(schema), { seed, temperature }).catch(refused);
          if (typeof whole === 'string') return;
          expect(whole.finishes).toEqual(['stop']);
          const valid = judge.compile(schema);
          const text = whole.texts[0] ?? '';
          expect(valid(JSON.parse(text)), `${text} of ${JSON.stringify(schema)}`).toBe(true);
          const cut = await ask(prompt, strict(schema), { seed, temperature, max_completion_tokens: limit });
          const fits = (whole.usage?.completion_tokens ?? 0) < limit;
          const shortest = compileJsonSchema(schema, { strict: true }).start().completionBytes();
          if (fits) expect(cut.texts).toEqual(whole.texts);
          else if (tokenizer.encodeBytes(shortest).length < limit) {
            expect(cut.finishes).toEqual(['length']);
            expect(valid(JSON.parse(cut.texts[0] ?? '')), `${cut.texts[0] ?? ''} of ${JSON.stringify(schema)}`).toBe(
              true,
            );
          }
          judge.removeSchema(schema);
        },
      ),
      { numRuns },
    );
  }, 3_600_000);
});
