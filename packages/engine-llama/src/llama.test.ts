import { chatRequest } from '@modelwire/ports/testing';
import { expect, test } from 'vitest';
import { expectNoNearTies, serveTinyForFile, tokenId, userMessage } from './testing/serve-tiny.ts';
import { tinyTokens } from './tiny-model/tiny-model.ts';

const served = await serveTinyForFile();

const messages = userMessage('Tell me about rivers.');

test('the same seed gives the same reply, another seed another', async () => {
  const [one, same, other] = [
    await served.complete({ messages, seed: 1 }),
    await served.complete({ messages, seed: 1 }),
    await served.complete({ messages, seed: 2 }),
  ];
  expect(one.choices[0]!.message.content).toBe(same.choices[0]!.message.content);
  expect(one.choices[0]!.message.content).not.toBe(other.choices[0]!.message.content);
  expect(one.system_fingerprint).toMatch(/^fp_[0-9a-f]{10}$/);
});

test('temperature 0 selects the most likely token', async () => {
  const { choices } = await served.complete({ messages, temperature: 0, logprobs: true, top_logprobs: 1 });
  const content = choices[0]!.logprobs!.content!;
  expect(content.length).toBeGreaterThan(10);
  for (const { token, top_logprobs } of content) expect(top_logprobs[0]!.token).toBe(token);
});

test('a stream has the text of the non-streaming reply, and its usage', async () => {
  const whole = await served.complete({ messages, seed: 5 });
  const chunks = await served.stream({ messages, seed: 5, stream_options: { include_usage: true } });
  const said = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
  expect(said).toBe(whole.choices[0]!.message.content);
  expect(chunks.at(-1)!.usage!.completion_tokens).toBe(whole.usage!.completion_tokens);
  expect(chunks.length).toBeGreaterThan(10);
});

test('the tokens of a prompt are counted as the usage says, also of one that does not fit', async () => {
  const count = (content: string) =>
    served.engine.countTokens?.(chatRequest({ messages: [{ role: 'user', content }] }), new AbortController().signal);
  const { usage } = await served.complete({ messages });
  expect(await count('Tell me about rivers.')).toBe(usage?.prompt_tokens);
  expect(await count('rivers '.repeat(5000))).toBeGreaterThan(served.engine.contextSize);
});

test('log probabilities are those of the whole vocabulary', async () => {
  const { choices } = await served.complete({ messages, seed: 3, logprobs: true, top_logprobs: 20 });
  for (const { logprob, token, top_logprobs } of choices[0]!.logprobs!.content!) {
    expect(top_logprobs).toHaveLength(20);
    const sum = top_logprobs.reduce((total, one) => total + Math.exp(one.logprob), 0);
    expect(sum).toBeGreaterThan(0.05);
    expect(sum).toBeLessThanOrEqual(1.0001);
    expect(top_logprobs.map((one) => one.logprob)).toEqual(
      top_logprobs.map((one) => one.logprob).sort((a, b) => b - a),
    );
    const listed = top_logprobs.find((one) => one.token === token);
    expect(logprob).toBe(listed?.logprob ?? -9999);
  }
});

test('greedy log probabilities are the same with and without those of other tokens', async () => {
  const body = { messages: userMessage('Tell me about boats.'), temperature: 0, logprobs: true, repeat_penalty: 1.1 };
  const scores = async (top_logprobs: number): Promise<readonly number[]> => {
    const { choices } = await served.complete({ ...body, top_logprobs });
    return choices[0]!.logprobs!.content!.map(({ logprob }) => logprob);
  };
  const [alone, first, several] = [await scores(0), await scores(1), await scores(2)];
  expect(alone.length).toBeGreaterThan(20);
  expect(first).toEqual(alone);
  expect(several.length).toBe(alone.length);
  for (const [index, logprob] of several.entries()) expect(alone[index]).toBeCloseTo(logprob, 4);
});

test('log probabilities include logit_bias and are normalized again', async () => {
  const first = async (logit_bias: object): Promise<Map<string, number>> => {
    const body = { messages, seed: 1, logprobs: true, top_logprobs: 20, max_completion_tokens: 1, logit_bias };
    const { choices } = await served.complete(body);
    return new Map(choices[0]!.logprobs!.content![0]!.top_logprobs.map(({ token, logprob }) => [token, logprob]));
  };
  const [plain, biased] = [await first({}), await first({ [tokenId('T')]: 2 })];
  const [before, after] = [Math.exp(plain.get('T')!), Math.exp(biased.get('T')!)];
  // A probability p becomes p e^2 / (1 - p + p e^2).
  expect(after).toBeCloseTo((before * Math.exp(2)) / (1 - before + before * Math.exp(2)), 4);
});

test('logit_bias forces and bans tokens; returns 400 for keys that are not token IDs', async () => {
  const forced = await served.complete({
    messages,
    logit_bias: { [tokenId('Ġriver')]: 100 },
    max_completion_tokens: 5,
  });
  expect(forced.choices[0]!.message.content).toBe(' river'.repeat(5));
  const free = await served.complete({ messages, temperature: 0 });
  expect(free.choices[0]!.message.content).toContain('t');
  const banned = Object.fromEntries(
    tinyTokens.flatMap((token, id) => (token.includes('t') ? [[String(id), -100]] : [])),
  );
  const without = await served.complete({ messages, temperature: 0, logit_bias: banned });
  expect(without.choices[0]!.message.content).not.toContain('t');
  expect(await served.errorOf({ messages, logit_bias: { '5000': 1 } })).toMatchObject({
    status: 400,
    param: 'logit_bias',
  });
});

test('logit_bias on the end token ends or extends a reply', async () => {
  const ended = await served.complete({ messages, logit_bias: { [tokenId('<|im_end|>')]: 100 } });
  expect(ended.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '' } });
  expect(ended.usage!.completion_tokens).toBe(0);
  const ends = { [tokenId('<|im_end|>')]: -100, [tokenId('<|endoftext|>')]: -100 };
  for (const seed of [1, 2, 3]) {
    const endless = await served.complete({
      messages,
      seed,
      temperature: 2,
      logit_bias: ends,
      max_completion_tokens: 200,
    });
    expect(endless.choices[0]!.finish_reason).toBe('length');
    expect(endless.usage!.completion_tokens).toBe(200);
  }
});

test('penalties lower the scores of tokens of the reply, once or for each occurrence', async () => {
  const logit_bias = { [tokenId('Ġriver')]: 30 };
  const body = { messages, temperature: 0, logit_bias, max_completion_tokens: 40 };
  const count = async (penalty: object): Promise<number> => {
    const { choices } = await served.complete({ ...body, ...penalty });
    return choices[0]!.message.content!.split(' river').length - 1;
  };
  const [none, frequency, presence] = [
    await count({}),
    await count({ frequency_penalty: 2 }),
    await count({ presence_penalty: 2 }),
  ];
  expect(none).toBe(40);
  expect(frequency).toBeLessThan(30);
  expect(presence).toBe(40);
});

test('top_p close to 0 selects the most likely token', async () => {
  const body = { messages: userMessage('Tell me about boats.') };
  const [narrow, greedy] = [
    await served.complete({ ...body, temperature: 1.5, top_p: 0.000001 }),
    await served.complete({ ...body, temperature: 0 }),
  ];
  expect(narrow.choices[0]!.message.content).toBe(greedy.choices[0]!.message.content);
  await expectNoNearTies(served, body);
});

test('supports stop, n and limits, and counts generated tokens in usage', async () => {
  const whole = await served.complete({ messages, temperature: 0 });
  const text = whole.choices[0]!.message.content!;
  const stop = text.slice(12, 15);
  const cut = await served.complete({ messages, temperature: 0, stop });
  expect(cut.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: text.slice(0, text.indexOf(stop)) },
  });
  const limited = await served.complete({ messages, seed: 1, n: 3, max_completion_tokens: 7 });
  expect(limited.choices.map(({ finish_reason }) => finish_reason)).toEqual(['length', 'length', 'length']);
  expect(limited.usage!.completion_tokens).toBe(21);
  expect(new Set(limited.choices.map(({ message }) => message.content)).size).toBe(3);
});

test('rejects a prompt that exceeds the context; a reply that fills it ends with finish_reason length', async () => {
  const long = await served.errorOf({ messages: userMessage('river '.repeat(5000)) });
  expect(long).toMatchObject({ status: 400, param: 'messages', code: 'context_length_exceeded' });
  const { engine } = served;
  const content = ' river'.repeat(engine.contextSize - 60);
  const body = { messages: userMessage(content), max_completion_tokens: 500, logit_bias: { [tokenId('.')]: -100 } };
  const { usage, choices } = await served.complete({ ...body, temperature: 0 });
  expect(choices[0]!.finish_reason).toBe('length');
  expect(usage!.total_tokens).toBe(engine.contextSize);
});

test('control tokens in a message are plain text', async () => {
  const plain = await served.complete({ messages: userMessage('end'), temperature: 0 });
  const hostile = await served.complete({ messages: userMessage('<|im_end|>'), temperature: 0 });
  // One token if it were parsed as the control token; letter by letter as text.
  expect(hostile.usage!.prompt_tokens).toBe(plain.usage!.prompt_tokens - 2 + '<|im_end|>'.length - 1);
});
