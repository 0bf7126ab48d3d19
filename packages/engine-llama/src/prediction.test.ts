import { LlamaContextSequence } from 'node-llama-cpp';
import type { Token } from 'node-llama-cpp';
import { expect, test, vi } from 'vitest';
import { createPromptLookup } from './reply/prompt-lookup.ts';
import { expectNoNearTies, serveTinyForFile, userMessage } from './testing/serve-tiny.ts';

const served = await serveTinyForFile();
const withLookup = await serveTinyForFile({ promptLookup: true });

const messages = userMessage('Tell me about boats.');
const wrong = 'Something else altogether is said here, in many more words than a single draft can hold.';

/** Requests a reply, with a prediction unless the text is undefined. */
async function ask(predicted: string | undefined, more: object = {}, { complete } = served) {
  const prediction = predicted === undefined ? {} : { prediction: { type: 'content', content: predicted } };
  const { choices, usage } = await complete({ messages, temperature: 0, ...more, ...prediction });
  const { accepted_prediction_tokens: accepted, rejected_prediction_tokens: rejected } =
    usage!.completion_tokens_details!;
  const { message, finish_reason } = choices[0]!;
  return { text: message.content!, reason: finish_reason, tokens: usage!.completion_tokens, accepted, rejected };
}

test('a prediction that is right is accepted, and does not change the reply', async () => {
  const plain = await ask(undefined);
  const predicted = await ask(plain.text);
  expect(predicted).toMatchObject({ text: plain.text, tokens: plain.tokens, rejected: 0 });
  expect(predicted.accepted).toBeGreaterThan(plain.tokens / 2);
  expect(plain).toMatchObject({ accepted: 0, rejected: 0 });
  await expectNoNearTies(served, { messages });
});

test('a prediction that differs in a place is accepted around it', async () => {
  const plain = await ask(undefined);
  const middle = Math.floor(plain.text.length / 2);
  const changed = `${plain.text.slice(0, middle)} Indeed! ${plain.text.slice(middle)}`;
  const predicted = await ask(changed, { max_completion_tokens: 128 });
  expect(predicted.text.startsWith(plain.text)).toBe(true);
  expect(predicted.accepted).toBeGreaterThan(plain.tokens / 2);
  expect(predicted.rejected).toBeGreaterThan(0);
});

test('a prediction that is wrong does not change the reply, and counts against the limit', async () => {
  const limits = { max_completion_tokens: 20 };
  const [plain, predicted] = [await ask(undefined, limits), await ask(wrong, limits)];
  expect(predicted).toMatchObject({ reason: 'length', tokens: 20, accepted: 0 });
  expect(plain.text.startsWith(predicted.text)).toBe(true);
});

test('tokens that are sampled with a prediction have the reported probabilities', async () => {
  const { choices } = await served.complete({ messages, temperature: 0, logprobs: true, max_completion_tokens: 1 });
  const { token, logprob } = choices[0]!.logprobs!.content![0]!;
  const count = 150;
  let drawn = 0;
  for (let seed = 0; seed < count; seed++) {
    const { text } = await ask(wrong, { temperature: 1, seed, max_completion_tokens: 1 });
    if (text === token) drawn++;
  }
  expect(Math.exp(logprob)).toBeGreaterThan(0.1);
  expect(Math.abs(drawn / count - Math.exp(logprob))).toBeLessThan(0.12);
});

test('structured output stays exact with any prediction and limit', async () => {
  const schema = { type: 'array', items: { type: 'string', maxLength: 12 }, minItems: 3, maxItems: 5 };
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const plain = await ask(undefined, { response_format, max_completion_tokens: 200 });
  await expectNoNearTies(served, { messages, response_format, max_completion_tokens: 200 });
  for (const predicted of [plain.text, wrong, `["a${plain.text.slice(2)}`, '["the river", "runs"]']) {
    const { text } = await ask(predicted, { response_format, max_completion_tokens: 200 });
    expect(text).toBe(plain.text);
    for (const seed of [1, 2, 3]) {
      const limits = { response_format, seed, temperature: 1, max_completion_tokens: 20 + seed };
      const limited = await ask(predicted, limits);
      expect(JSON.parse(limited.text), limited.text).toBeInstanceOf(Array);
      expect(limited.tokens).toBeLessThanOrEqual(20 + seed);
    }
  }
});

test.each([
  ['log probabilities', { logprobs: true }],
  ['a penalty', { frequency_penalty: 0.1 }],
  ['top_p and a temperature', { temperature: 0.7, top_p: 0.9, seed: 1 }],
])('with %s, no token is evaluated ahead', async (_, more) => {
  const plain = await ask(undefined, more);
  expect(await ask(plain.text, more)).toEqual(plain);
});

test('concurrent replies with predictions are the same as one after the other', async () => {
  const contents = ['Tell me about rivers.', 'Tell me about boats.', 'Where is the river?'];
  const bodies = contents.map((content) => ({ messages: userMessage(content), max_completion_tokens: 40 }));
  for (const body of bodies) await expectNoNearTies(served, body);
  const plain = await Promise.all(bodies.map((body) => ask(undefined, body)));
  const predicted = await Promise.all(bodies.map((body, index) => ask(plain[index]!.text, body)));
  expect(predicted.map(({ text }) => text)).toEqual(plain.map(({ text }) => text));
  expect(predicted.every(({ accepted }) => accepted! > 10)).toBe(true);
});

/** A conversation whose last message has been answered before. */
const askedAgain = (answer: string): readonly object[] => [
  ...messages,
  { role: 'assistant', content: answer },
  ...messages,
];

/** Requests a reply with prompt lookup, and returns it with the numbers of tokens of the steps that had a draft. */
async function lookUp(more: object) {
  const evaluate = vi.spyOn(LlamaContextSequence.prototype, 'controlledEvaluate');
  const reply = await ask(undefined, more, withLookup);
  const drafted = evaluate.mock.calls.map(([tokens]) => tokens.length);
  evaluate.mockRestore();
  return { reply, drafted };
}

test('prompt lookup evaluates text ahead that followed the last tokens before, and does not change the reply', async () => {
  const body = { messages: askedAgain((await ask(undefined)).text) };
  const plain = await ask(undefined, body);
  await expectNoNearTies(served, body);
  const { reply, drafted } = await lookUp(body);
  expect(reply).toEqual(plain);
  expect(reply).toMatchObject({ accepted: 0, rejected: 0 });
  expect(drafted.length).toBeGreaterThan(0);
  expect(drafted.length).toBeLessThan(plain.tokens / 2);
});

test('rejected tokens of a prompt lookup do not count', async () => {
  const limits = { max_completion_tokens: 20 };
  const body = { messages: askedAgain(wrong), ...limits };
  await expectNoNearTies(served, body);
  const { reply, drafted } = await lookUp(body);
  expect(drafted.length).toBeGreaterThan(0);
  expect(reply).toEqual(await ask(undefined, body));
  expect(reply).toMatchObject({ tokens: 20, rejected: 0 });
});

test('tokens that are sampled with a prompt lookup have the reported probabilities', async () => {
  const body = { messages: askedAgain((await ask(undefined)).text), max_completion_tokens: 20 };
  const { choices } = await served.complete({ ...body, temperature: 0, logprobs: true });
  const { token, logprob } = choices[0]!.logprobs!.content![0]!;
  const count = 150;
  let drawn = 0;
  for (let seed = 0; seed < count; seed++) {
    const { reply, drafted } = await lookUp({ ...body, temperature: 1, ...(seed % 2 === 0 && { seed }) });
    expect(drafted[0]).toBeGreaterThan(8);
    if (reply.text.startsWith(token)) drawn++;
  }
  const probability = Math.exp(logprob);
  expect(probability).toBeGreaterThan(0.1);
  const deviation = Math.sqrt((probability * (1 - probability)) / count);
  expect(Math.abs(drawn / count - probability)).toBeLessThan(5 * deviation);
});

test('structured output and text with tools stay exact with a prompt lookup', async () => {
  const schema = { type: 'array', items: { type: 'string', maxLength: 12 }, minItems: 3, maxItems: 5 };
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const structured = { messages: askedAgain('["the river", "runs"]'), response_format };
  await expectNoNearTies(served, structured);
  expect((await lookUp(structured)).reply).toEqual(await ask(undefined, structured));
  for (const seed of [1, 2, 3]) {
    const { text } = await ask(undefined, { ...structured, seed, temperature: 1 }, withLookup);
    expect(JSON.parse(text), text).toBeInstanceOf(Array);
  }
  const withTools = {
    messages: askedAgain((await ask(undefined)).text),
    tools: [{ type: 'function', function: { name: 'sail', parameters: { type: 'object', properties: {} } } }],
  };
  await expectNoNearTies(served, withTools);
  const { reply, drafted } = await lookUp(withTools);
  expect(reply).toEqual(await ask(undefined, withTools));
  expect(drafted.length).toBeGreaterThan(0);
});

test('a prompt lookup proposes nothing where the draft would be short, or after many rejected tokens', () => {
  const repeated = Array.from({ length: 40 }, (_, id) => id as Token);
  const { draft, take } = createPromptLookup(repeated, () => 16);
  const drafts: number[] = [];
  for (let start = 0; start < 5; start++) {
    for (const id of repeated.slice(start, start + 12)) take(id);
    expect(draft(7)).toEqual([]);
    drafts.push(draft(16).length);
    take(100 as Token);
  }
  expect(drafts).toEqual([16, 16, 0, 0, 0]);
});
