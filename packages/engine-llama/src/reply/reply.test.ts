import { expect, test, vi } from 'vitest';
import type * as evaluatorModule from '../evaluation/evaluator.ts';
import { serveTinyForFile, tokenId, userMessage } from '../testing/serve-tiny.ts';

/** The numbers of tokens that were evaluated before each sampled token, except for those of the prompt. */
const steps = vi.hoisted((): number[] => []);
vi.mock('../evaluation/evaluator.ts', async (importOriginal) => {
  const original = await importOriginal<typeof evaluatorModule>();
  return {
    ...original,
    createEvaluator: (init: Parameters<typeof original.createEvaluator>[0]): unknown => {
      const evaluator = original.createEvaluator(init);
      let hasStarted = false;
      const record = (tokens: readonly number[]): void => {
        if (hasStarted) steps.push(tokens.length);
        hasStarted = true;
      };
      return {
        ...evaluator,
        sample: (...args: Parameters<typeof evaluator.sample>) => {
          record(args[0]);
          return evaluator.sample(...args);
        },
        scores: (...args: Parameters<typeof evaluator.scores>) => {
          record(args[0]);
          return evaluator.scores(...args);
        },
      };
    },
  };
});

const served = await serveTinyForFile();
const messages = userMessage('Where is the river?');
const text = 'The river runs to the sea. '.repeat(12);
const schema = {
  type: 'object',
  properties: { text: { const: text } },
  required: ['text'],
  additionalProperties: false,
};
const body = {
  messages,
  max_completion_tokens: 500,
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
};

/** Requests the constant, and returns the numbers of evaluated tokens and of those of the reply. */
async function stepsOf(more: object): Promise<{ evaluated: readonly number[]; completionTokens: number }> {
  steps.length = 0;
  const { choices, usage } = await served.complete({ ...body, ...more });
  expect(JSON.parse(choices[0]!.message.content!)).toEqual({ text });
  return { evaluated: [...steps], completionTokens: usage!.completion_tokens };
}

test('required text is evaluated together with the next choice of the model, in steps of up to 128 tokens', async () => {
  const { evaluated, completionTokens } = await stepsOf({});
  expect(completionTokens).toBeGreaterThan(150);
  expect(evaluated.length).toBeLessThan(completionTokens / 10);
  expect(Math.max(...evaluated)).toBeGreaterThan(32);
  expect(Math.max(...evaluated)).toBeLessThanOrEqual(128);
});

test.each([
  ['log probabilities', { logprobs: true }],
  ['a logit_bias', { logit_bias: { [tokenId('Q')]: 1 } }],
  ['a penalty', { frequency_penalty: 0.1 }],
])('with %s, each token of a required text is sampled', async (_, more) => {
  const { evaluated, completionTokens } = await stepsOf(more);
  expect(evaluated.length).toBeGreaterThanOrEqual(completionTokens - 1);
  expect(new Set(evaluated)).toEqual(new Set([1]));
});
