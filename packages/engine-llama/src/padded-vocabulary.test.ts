import { expect, test } from 'vitest';
import { serveTinyForFile, userMessage } from './testing/serve-tiny.ts';
import { tinyTokens } from './tiny-model/tiny-model.ts';

const served = await serveTinyForFile({ padding: 40 });
const messages = userMessage('Tell me about rivers.');
const paddingToken = tinyTokens.length + 7;

test('a model whose vocabulary is padded answers as it would without the padding', async () => {
  const { choices, usage } = await served.complete({ messages, temperature: 0 });
  expect(choices[0]!.message.content).toContain('The ');
  expect(usage!.completion_tokens).toBeGreaterThan(10);
});

test('a model whose vocabulary is padded follows a schema', async () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 8 } },
    required: ['name'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'river', schema } };
  const { choices } = await served.complete({ messages, response_format, seed: 3 });
  expect(JSON.parse(choices[0]!.message.content!)).toEqual({ name: expect.any(String) as unknown });
});

test('a padding token that is sampled counts as a token without text', async () => {
  const body = { messages, max_completion_tokens: 3, logit_bias: { [paddingToken]: 100 }, logprobs: true };
  const { choices, usage } = await served.complete(body);
  expect(choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'length' });
  expect(usage!.completion_tokens).toBe(3);
});
