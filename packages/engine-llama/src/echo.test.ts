import { createServer } from '@modelwire/server';
import type { TextCompletion } from '@modelwire/schema/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadBinding, openLlama } from './backend/binding.ts';
import { createLlama } from './llama.ts';
import { tinyFile } from './testing/serve-tiny.ts';
import { tinyTokens } from './tiny-model/tiny-model.ts';

interface Reply extends TextCompletion {
  readonly status: number;
  readonly error?: { readonly param: string; readonly message: string };
}

let post: (body: object) => Promise<Reply>;
let scoreWithLlama: (tokens: readonly number[]) => Promise<readonly number[]>;
let close: () => Promise<void>;
beforeAll(async () => {
  const file = await tinyFile();
  const engine = await createLlama({ path: file.path, gpu: false, threads: 1, contextSize: 256 });
  const server = createServer({ engines: [engine], keys: 'open' });
  post = async (body) => {
    const response = await server.fetch(
      new Request('http://localhost/v1/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tiny', temperature: 0, ...body }),
      }),
    );
    return { status: response.status, ...((await response.json()) as TextCompletion) };
  };
  const llama = await openLlama(await loadBinding(), false);
  const model = await llama.loadModel({ modelPath: file.path });
  const context = await model.createContext({ contextSize: 256, sequences: 1, threads: 1 });
  const sequence = context.getSequence();
  /** The log probability of each token after the first, from the probabilities of the whole vocabulary, one token at a time. */
  scoreWithLlama = async (tokens) => {
    await sequence.clearHistory();
    const logprobs: number[] = [];
    for (const [at, token] of tokens.slice(0, -1).entries()) {
      const options = { temperature: 1, topK: 0, topP: 1, minP: 0 };
      const [output] = await sequence.controlledEvaluate([
        [token as never, { generateNext: { probabilities: true, options } }],
      ]);
      logprobs.push(Math.log(output!.next.probabilities!.get(tokens[at + 1] as never)!));
    }
    return logprobs;
  };
  close = async () => {
    await server.close();
    await model.dispose();
    await file.remove();
  };
});
afterAll(() => close());

const idOf = (token: string): number => tinyTokens.indexOf(token);
const prompt = ['T', 'he', 'Ġriver', 'Ġ', 'r', 'u', 'n', 's', 'Ġ', 't', 'o', 'Ġthe', 'Ġsea'].map(idOf);

test('with echo and logprobs, each token of the prompt has the log probability that llama.cpp computes', async () => {
  const { choices } = await post({ prompt, echo: true, logprobs: 1, max_tokens: 0 });
  const { tokens, token_logprobs, top_logprobs } = choices[0]!.logprobs!;
  expect(choices[0]).toMatchObject({ text: 'The river runs to the sea', finish_reason: 'length' });
  expect(tokens.join('')).toBe('The river runs to the sea');
  expect([token_logprobs[0], top_logprobs[0]]).toEqual([null, null]);
  const expected = await scoreWithLlama(prompt);
  for (const [at, logprob] of expected.entries()) expect(token_logprobs[at + 1]).toBeCloseTo(logprob, 3);
  for (const [at, top] of top_logprobs.slice(1).entries()) {
    expect(Math.max(...Object.values(top!))).toBeGreaterThanOrEqual(token_logprobs[at + 1]!);
  }
});

test('a prompt that is longer than one step is scored whole, also when its start was evaluated before', async () => {
  const long = Array.from({ length: 12 }, () => prompt).flat();
  await post({ prompt: long, max_tokens: 1 });
  const { choices, usage } = await post({ prompt: long, echo: true, logprobs: 0, max_tokens: 0 });
  const expected = await scoreWithLlama(long);
  const scored = choices[0]!.logprobs!.token_logprobs;
  expect(scored).toHaveLength(long.length);
  const sum = (values: readonly (number | null)[]): number => values.reduce<number>((all, one) => all + (one ?? 0), 0);
  expect(sum(scored)).toBeCloseTo(sum(expected), 2);
  expect(usage).toMatchObject({ prompt_tokens: long.length, completion_tokens: 0 });
});

test('the token that ends the reply is counted in logprobs, so that the last entry is always one of the reply', async () => {
  const ending = [...prompt, idOf('.')];
  const logit_bias = { [idOf('<|im_end|>')]: 100 };
  const { choices } = await post({ prompt: ending, echo: true, logprobs: 1, max_tokens: 1, logit_bias });
  const { tokens, token_logprobs } = choices[0]!.logprobs!;
  expect(tokens).toHaveLength(ending.length + 1);
  expect(tokens.at(-1)).toBe('<|im_end|>');
  expect(token_logprobs.at(-1)).toBeCloseTo(0, 3);
  expect(choices[0]).toMatchObject({ text: 'The river runs to the sea.', finish_reason: 'stop' });
});

test('several prompts of token IDs are scored in one request, in order', async () => {
  const prompts = [prompt.slice(0, 4), prompt.slice(2, 9)];
  const { choices } = await post({ prompt: prompts, echo: true, logprobs: 1, max_tokens: 1 });
  expect(choices.map(({ logprobs }) => logprobs!.tokens.length)).toEqual([5, 8]);
  expect(choices.map(({ index }) => index)).toEqual([0, 1]);
});

test('text and its token IDs have the same log probabilities', async () => {
  const body = { echo: true, logprobs: 2, max_tokens: 1 };
  const text = await post({ ...body, prompt: 'a boat' });
  const ids = await post({
    ...body,
    prompt: text.choices[0]!.logprobs!.tokens.slice(0, -1).map((one) => idOf(one.replace(' ', 'Ġ'))),
  });
  expect(ids.choices[0]!.text).toBe(text.choices[0]!.text);
  expect(ids.choices[0]!.logprobs!.tokens).toEqual(text.choices[0]!.logprobs!.tokens);
});

test('a stop sequence in the prompt does not end the reply', async () => {
  const { choices } = await post({ prompt, echo: true, logprobs: 1, max_tokens: 3, stop: ['river'] });
  expect(choices[0]!.text.startsWith('The river runs to the sea')).toBe(true);
  expect(choices[0]!.logprobs!.tokens.length).toBeGreaterThan(prompt.length);
});

test('echo of token IDs without logprobs returns their text, with control tokens by name', async () => {
  const ids = [idOf('<|im_start|>'), ...prompt.slice(0, 3)];
  const { choices } = await post({ prompt: ids, echo: true, max_tokens: 0 });
  expect(choices[0]).toMatchObject({ text: '<|im_start|>The river', logprobs: null });
});

test.each([
  ['an unknown token ID', { prompt: [1, 999_999] }, 'prompt', /no token 999999/],
  ['an unknown token ID in a later prompt', { prompt: [[1], [999_999]] }, 'prompt', /no token 999999/],
  ['more token IDs than the context has', { prompt: Array.from({ length: 256 }, () => 1) }, 'prompt', /256 tokens/],
  ['max_tokens 0 without echo', { prompt: [1], max_tokens: 0 }, 'max_tokens', /requires 'echo'/],
])('%s is a 400', async (_, body, param, message) => {
  expect(await post(body)).toMatchObject({
    status: 400,
    error: { param, message: expect.stringMatching(message) as unknown },
  });
});
