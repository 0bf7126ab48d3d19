import { expect, test } from 'vitest';
import { expectNoNearTies, serveTinyForFile, tokenId, userMessage } from '../testing/serve-tiny.ts';
import { tinyTokens } from '../tiny-model/tiny-model.ts';

const served = await serveTinyForFile();

const messages = userMessage('Tell me about rivers.');
const enumOf = (values: readonly string[]): object => ({
  type: 'json_schema',
  json_schema: { name: 'x', schema: { type: 'string', enum: values } },
});

test('greedy text is the same with log probabilities, which are sampled from scores', async () => {
  const body = { messages, temperature: 0, frequency_penalty: 0.5, presence_penalty: 0.3 };
  const [native, scored] = [await served.complete(body), await served.complete({ ...body, logprobs: true })];
  expect(native.choices[0]!.message.content).toBe(scored.choices[0]!.message.content);
  await expectNoNearTies(served, body);
});

test('greedy structured output is the same with log probabilities, which are sampled from scores', async () => {
  const schema = { type: 'array', items: { type: 'string', maxLength: 12 }, minItems: 3, maxItems: 5 };
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const body = { messages, temperature: 0, response_format, max_completion_tokens: 200 };
  const [native, scored] = [await served.complete(body), await served.complete({ ...body, logprobs: true })];
  expect(JSON.parse(native.choices[0]!.message.content!)).toBeInstanceOf(Array);
  expect(native.choices[0]!.message.content).toBe(scored.choices[0]!.message.content);
  await expectNoNearTies(served, body);
});

test('sampled tokens have the reported probabilities', async () => {
  const body = { messages, max_completion_tokens: 1, logit_bias: { [tokenId('T')]: 2 } };
  const { choices } = await served.complete({ ...body, temperature: 0, logprobs: true, top_logprobs: 20 });
  const { top_logprobs } = choices[0]!.logprobs!.content![0]!;
  const expected = Math.exp(top_logprobs.find(({ token }) => token === 'T')!.logprob);
  const count = 150;
  let drawn = 0;
  for (let seed = 0; seed < count; seed++) {
    const sampled = await served.complete({ ...body, seed });
    if (sampled.choices[0]!.message.content === 'T') drawn++;
  }
  expect(expected).toBeGreaterThan(0.1);
  expect(expected).toBeLessThan(0.9);
  expect(Math.abs(drawn / count - expected)).toBeLessThan(0.12);
});

test('if few tokens are allowed, a bias decides between them and allows no others', async () => {
  const response_format = enumOf(['rain', 'sun']);
  const texts = async (logit_bias: object): Promise<Set<string | null>> => {
    const seen = new Set<string | null>();
    for (let seed = 0; seed < 10; seed++) {
      const { choices } = await served.complete({ messages, response_format, seed, logit_bias });
      seen.add(choices[0]!.message.content);
    }
    return seen;
  };
  const startingWith = (letter: string, amount: number): object =>
    Object.fromEntries(
      tinyTokens.flatMap((token, id) => (token.replace('"', '').startsWith(letter) ? [[id, amount]] : [])),
    );
  expect(await texts(startingWith('s', -100))).toEqual(new Set(['"rain"']));
  expect(await texts({ ...startingWith('s', 100), [tokenId('.')]: 100 })).toEqual(new Set(['"sun"']));
});
