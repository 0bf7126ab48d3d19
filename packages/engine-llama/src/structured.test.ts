import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { serveTinyForFile, tokenId, userMessage } from './testing/serve-tiny.ts';

const served = await serveTinyForFile();

const messages = userMessage('Tell me about rivers, as json.');
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z]{2,8}$' },
    size: { type: 'string', enum: ['small', 'large'] },
    counts: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 99 }, minItems: 1, maxItems: 3 },
    inner: {
      type: 'object',
      properties: { wide: { type: ['boolean', 'null'] } },
      required: ['wide'],
      additionalProperties: false,
    },
  },
  required: ['name', 'size', 'counts', 'inner'],
  additionalProperties: false,
};
const response_format = { type: 'json_schema', json_schema: { name: 'river', strict: true, schema } };
const validate = new Ajv().compile(schema);

test('follows a strict schema at any temperature, with and without streaming', async () => {
  for (const [seed, temperature] of [0, 0.7, 1, 2].entries()) {
    const body = { messages, response_format, seed, temperature, max_completion_tokens: 400 };
    const { choices } = await served.complete(body);
    expect(choices[0]!.finish_reason).toBe('stop');
    const text = choices[0]!.message.content!;
    expect(validate(JSON.parse(text)), text).toBe(true);
    const chunks = await served.stream(body);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(text);
  }
});

test('completes valid JSON at the limit, with finish_reason length', async () => {
  const shortest = 66;
  const reasons = new Set<string>();
  for (let limit = shortest; limit < shortest + 60; limit += 7) {
    const { choices, usage } = await served.complete({
      messages,
      response_format,
      seed: limit,
      temperature: 1.5,
      max_completion_tokens: limit,
    });
    const { message, finish_reason } = choices[0]!;
    expect(validate(JSON.parse(message.content!)), message.content!).toBe(true);
    expect(usage!.completion_tokens).toBeLessThanOrEqual(limit);
    reasons.add(finish_reason);
  }
  expect(reasons).toContain('length');
  const none = await served.complete({ messages, response_format, max_completion_tokens: 5 });
  expect(none.choices[0]!.finish_reason).toBe('length');
});

test('a bias cannot cause output that violates the schema', async () => {
  const logit_bias = {
    [tokenId('<tool_call>')]: 100,
    [tokenId('<|im_end|>')]: 100,
  };
  const { choices } = await served.complete({ messages, response_format, logit_bias, max_completion_tokens: 400 });
  expect(validate(JSON.parse(choices[0]!.message.content!))).toBe(true);
});

test('json_object returns an object', async () => {
  for (const seed of [1, 2, 3]) {
    const body = { messages, seed, response_format: { type: 'json_object' }, max_completion_tokens: 50 };
    const { choices } = await served.complete(body);
    const value: unknown = JSON.parse(choices[0]!.message.content!);
    expect(value).toBeTypeOf('object');
  }
});

test('log probabilities under a schema are those of allowed tokens', async () => {
  const only = { type: 'object', properties: { a: { const: 'so' } }, required: ['a'], additionalProperties: false };
  const { choices } = await served.complete({
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: only } },
    logprobs: true,
    top_logprobs: 3,
  });
  const content = choices[0]!.logprobs!.content!;
  expect(content.map(({ token }) => token).join('')).toBe(choices[0]!.message.content);
  for (const { logprob, top_logprobs } of content) {
    const sum = top_logprobs.reduce((total, one) => total + Math.exp(one.logprob), 0);
    expect(sum).toBeGreaterThan(0.999);
    expect(logprob).toBeLessThanOrEqual(0);
  }
});

test('returns 400 with the path for an unsupported schema', async () => {
  const bad = { ...schema, properties: { ...schema.properties, name: { type: 'string', pattern: '(?=a)' } } };
  const error = await served.errorOf({
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'river', strict: true, schema: bad } },
  });
  expect(error).toMatchObject({
    status: 400,
    code: 'invalid_json_schema',
    param: 'response_format.json_schema.schema.properties.name.pattern',
  });
});
