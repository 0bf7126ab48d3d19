import { expect, test } from 'vitest';
import { serveTinyForFile, userMessage } from '../testing/serve-tiny.ts';

const served = await serveTinyForFile();
const messages = userMessage('Tell me about rivers.');

async function textOf(more: object): Promise<string> {
  const { choices } = await served.complete({ messages, max_completion_tokens: 24, ...more });
  return choices[0]!.message.content!;
}

/** The texts of three seeds at a high temperature. */
async function textsOf(more: object): Promise<ReadonlySet<string>> {
  const texts = [];
  for (const seed of [1, 2, 3]) texts.push(await textOf({ seed, temperature: 1.5, ...more }));
  return new Set(texts);
}

test.each([
  ['top_k', { top_k: 1 }],
  ['min_p', { min_p: 1 }],
])('%s leaves the most likely token only, whether llama.cpp samples or scores are read', async (_, more) => {
  const likeliest = await textOf({ temperature: 0 });
  expect((await textsOf({})).size).toBe(3);
  expect(await textsOf(more)).toEqual(new Set([likeliest]));
  expect(await textsOf({ ...more, logprobs: true })).toEqual(new Set([likeliest]));
});

test('typical_p leaves one token at 0, the same for every seed', async () => {
  expect((await textsOf({ typical_p: 0 })).size).toBe(1);
  expect((await textsOf({ typical_p: 1 })).size).toBe(3);
});

test('repeat_penalty makes recent tokens of the prompt and the reply less likely, in log probabilities as well', async () => {
  const body = { messages, temperature: 0, max_completion_tokens: 12, logprobs: true, top_logprobs: 5 };
  const [plain, penalized] = [await served.complete(body), await served.complete({ ...body, repeat_penalty: 3 })];
  expect(penalized.choices[0]!.logprobs).not.toEqual(plain.choices[0]!.logprobs);
  const repeated = await textOf({ temperature: 0, repeat_penalty: 3 });
  expect(repeated).not.toBe(await textOf({ temperature: 0 }));
  // llama.cpp and the scores have the same distribution.
  const { choices } = await served.complete({ ...body, repeat_penalty: 3, max_completion_tokens: 24 });
  expect(choices[0]!.message.content).toBe(repeated);
});

test('the parameters are applied after a constraint', async () => {
  const schema = {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1, maximum: 9 } },
    required: ['count'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'river', schema } };
  for (const more of [{ top_k: 1 }, { min_p: 0.9 }, { typical_p: 0.1 }, { repeat_penalty: 2 }]) {
    expect(JSON.parse(await textOf({ response_format, seed: 1, ...more }))).toEqual({
      count: expect.any(Number) as unknown,
    });
  }
});
