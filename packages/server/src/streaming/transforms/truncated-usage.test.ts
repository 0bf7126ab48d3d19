import { expect, test } from 'vitest';
import type { ChatEvent, CapabilitiesInit } from '@modelwire/ports';
import { listen } from '../../testing/listen.ts';
import { scriptedEngine } from '../../testing/scripted-engine.ts';

const body = { model: 'scripted', messages: [{ role: 'user' as const, content: 'Reply in JSON.' }] };
const can: CapabilitiesInit = {
  parameters: { stop: 'emulated', n: 'emulated', response_format: 'native' },
  response_formats: ['text'],
};

/** Words with the usage so far after each, as upstreams with continuous usage report it. The prompt has 5 tokens. */
function* counting(...words: readonly string[]): Generator<ChatEvent> {
  for (const [index, text] of words.entries()) {
    const completion_tokens = index + 1;
    yield { type: 'text', choice: 0, text };
    yield { type: 'usage', usage: { prompt_tokens: 5, completion_tokens, total_tokens: 5 + completion_tokens } };
  }
  yield { type: 'finish', choice: 0, reason: 'stop' };
}

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});

test('a reply that ends at a stop sequence has the usage of what was sent', async () => {
  const engine = scriptedEngine(() => counting('a', 'b', 'c', 'd'), { can });
  const { client } = await listen({ engines: [engine] });
  expect((await client.chat.completions.create({ ...body, stop: 'c' })).usage).toEqual(usage(5, 3));
});

test('of several truncated choices, usage is the sum with the prompt counted once', async () => {
  const engine = scriptedEngine(() => counting('a', 'b', 'c', 'd'), { can });
  const { client } = await listen({ engines: [engine] });
  expect((await client.chat.completions.create({ ...body, stop: 'c', n: 3 })).usage).toEqual(usage(5, 9));
});

test('the usage of a truncated reply that was requested again is the sum of both attempts', async () => {
  const replies = [counting('no', ' JSON', '|', 'x'), counting('{}', '|', 'x')];
  const engine = scriptedEngine(() => replies.shift() ?? [], { can });
  const { client } = await listen({ engines: [engine] });
  const asked = { ...body, stop: '|', response_format: { type: 'json_object' as const } };
  const { choices, usage: found } = await client.chat.completions.create(asked);
  expect(choices[0]?.message.content).toBe('{}');
  expect(found).toEqual(usage(10, 5));
});

test('without usage before the end, a truncated reply has an estimate, complete and streamed', async () => {
  const engine = scriptedEngine(() => [...counting('a', 'b', 'c')].filter(({ type }) => type !== 'usage'), { can });
  const { client } = await listen({ engines: [engine] });
  const whole = await client.chat.completions.create({ ...body, stop: 'b' });
  expect(whole.usage).toMatchObject({ completion_tokens: 1, prompt_tokens: expect.any(Number) as number });
  const stream = await client.chat.completions.create({
    ...body,
    stop: 'b',
    stream: true,
    stream_options: { include_usage: true },
  });
  const last = (await Array.fromAsync(stream)).at(-1);
  expect(last).toMatchObject({ choices: [], usage: { completion_tokens: 1 } });
});
