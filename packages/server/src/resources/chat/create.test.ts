import { expect, test } from 'vitest';
import type { ChatEvent } from '@modelwire/ports';
import { chatRequest } from '@modelwire/ports/testing';
import { listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { failingEngine, says, scriptedEngine, slowly } from '../../testing/scripted-engine.ts';
import { RequestError } from '../../errors.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];
const ask = { model: 'scripted', messages };

async function frames(response: Response): Promise<string[]> {
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  return (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((frame) => frame.replace(/^(?:id: \d+\n)?data: /, ''));
}

test('the engine sees every default filled in', async () => {
  const engine = scriptedEngine(() => says('Hi'), { can: { efforts: { values: ['low', 'high'], default: 'high' } } });
  const { client } = await listen({ engines: [engine] });
  await client.chat.completions.create(ask);
  expect(engine.asked[0]?.request).toEqual(chatRequest({ model: 'scripted', messages, reasoning_effort: 'high' }));
});

test('n, stop and the token limit are emulated for an engine without them, complete and streamed', async () => {
  const engine = scriptedEngine(() => slowly(says('one ', 'two ', 'EN', 'D', ' three')), { promptTokens: 3 });
  const { client } = await listen({ engines: [engine] });
  const stopped = await client.chat.completions.create({ ...ask, n: 3, stop: 'END' });
  expect(stopped.choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason])).toEqual(
    [0, 1, 2].map((index) => [index, 'one two ', 'stop']),
  );
  expect(engine.asked).toHaveLength(3);
  expect(engine.asked[0]?.request).toMatchObject({ n: 1, stop: [] });
  const limited = await client.chat.completions
    .stream({ ...ask, n: 2, max_completion_tokens: 2, stream_options: { include_usage: true } })
    .finalChatCompletion();
  expect(limited.choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual([
    ['one two ', 'length'],
    ['one two ', 'length'],
  ]);
  expect(limited.usage).toEqual({ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 });
});

test('a truncated reply has an estimated usage if the engine cannot count its prompt', async () => {
  const { client } = await listen({ engines: [scriptedEngine(() => says('one ', 'two ', 'three'))] });
  const { usage, choices } = await client.chat.completions.create({ ...ask, max_completion_tokens: 1 });
  expect(choices[0]?.finish_reason).toBe('length');
  expect(usage).toMatchObject({ completion_tokens: 1, prompt_tokens: expect.any(Number) as number });
});

test('tool calls, refusals, logprobs and unknown fields of deltas reach the SDK, complete and streamed', async () => {
  const logprob = { token: 'No', logprob: -0.5, bytes: [78, 111], top_logprobs: [] };
  const events: ChatEvent[] = [
    { type: 'meta', system_fingerprint: 'fp_1', service_tier: 'flex' },
    { type: 'tool_call', choice: 0, index: 0, id: 'call_1', kind: 'function', name: 'look' },
    { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: '{"at":' },
    { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: '1}' },
    { type: 'tool_call', choice: 0, index: 1, id: 'call_2', kind: 'custom', name: 'say' },
    { type: 'tool_input', choice: 0, index: 1, kind: 'custom', text: 'hey' },
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    { type: 'extra', choice: 1, delta: { reasoning: 'hm' } },
    { type: 'extra', choice: 1, delta: { reasoning: 'm' } },
    { type: 'refusal', choice: 1, text: 'No', logprobs: [logprob] },
    { type: 'finish', choice: 1, reason: 'stop' },
  ];
  const can = { parameters: { n: 'native', logprobs: 'native' } } as const;
  const { client, post } = await listen({ engines: [scriptedEngine(() => events, { can })] });
  const whole = await client.chat.completions.create({ ...ask, n: 2, logprobs: true });
  expect(whole).toMatchObject({ system_fingerprint: 'fp_1', service_tier: 'flex' });
  expect(whole.choices).toMatchObject([
    {
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
          { id: 'call_2', type: 'custom', custom: { name: 'say', input: 'hey' } },
        ],
      },
    },
    {
      message: { content: null, refusal: 'No', reasoning: 'hmm' },
      logprobs: { content: null, refusal: [logprob] },
    },
  ]);
  const chunks = (await frames(await post({ ...ask, n: 2, logprobs: true, stream: true }))).slice(0, -1);
  const choices = chunks.map(
    (json) => (JSON.parse(json) as { choices: [{ delta: unknown; logprobs: unknown }] }).choices[0],
  );
  expect(choices.map(({ delta }) => delta)).toEqual([
    { role: 'assistant', content: null, refusal: null },
    { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"at":' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
    { tool_calls: [{ index: 1, id: 'call_2', type: 'custom', custom: { name: 'say', input: '' } }] },
    { tool_calls: [{ index: 1, custom: { input: 'hey' } }] },
    {},
    { role: 'assistant', content: '', refusal: null },
    { reasoning: 'hm' },
    { reasoning: 'm' },
    { refusal: 'No' },
    {},
  ]);
  expect(choices.at(-2)?.logprobs).toEqual({ content: null, refusal: [logprob] });
});

test('an engine that fails before its first event causes an HTTP status, also for a stream', async () => {
  const engine = scriptedEngine(() => {
    throw new RequestError('busy', { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } });
  });
  const { post } = await listen({ engines: [engine] });
  const response = await post({ ...ask, stream: true });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
});

test('an engine that fails after its first event ends the stream with one error frame and no [DONE]', async () => {
  const engine = failingEngine();
  const { post, client } = await listen({ engines: [engine] });
  const response = await post({ ...ask, stream: true });
  const stream = await client.chat.completions.create({ ...ask, stream: true });
  engine.fail();
  const all = await frames(response);
  expect(JSON.parse(all.at(-1) ?? '')).toEqual({
    error: { message: expect.any(String) as string, type: 'server_error', param: null, code: 'internal_error' },
  });
  expect(all.join()).not.toMatch(/secret|\[DONE\]/);
  await expect(Array.fromAsync(stream)).rejects.toThrow();
});

test('a generation without a finish event is an error, never a complete reply', async () => {
  const engine = scriptedEngine(() => [{ type: 'text', choice: 0, text: 'Hi' } satisfies ChatEvent]);
  const { post } = await listen({ engines: [engine] });
  expect((await post(ask)).status).toBe(500);
  expect((await post({ ...ask, stream: true })).status).toBe(500);
});

test('a server that shuts down ends a stream that exceeds the drain timeout with an error frame', async () => {
  const engine = scriptedEngine(async function* (_, { signal }) {
    yield { type: 'text', choice: 0, text: 'Hi' } satisfies ChatEvent;
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  const { post, server } = await listen({ engines: [engine] });
  const response = await post({ ...ask, stream: true });
  const drained = server.drain(50);
  expect((await frames(response)).at(-1)).toContain('"shutting_down"');
  await drained;
});

test('refuses metadata without store', async () => {
  const { post } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  for (const stream of [true, false]) {
    const response = await post({ ...ask, stream, metadata: { team: 'blue' } });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param: 'metadata' } }]);
  }
});

test.each([
  ['complete', {}],
  ['stored', { store: true }],
  ['streamed', { stream: true, stream_options: { include_usage: true } }],
  ['streamed and stored', { stream: true, store: true, stream_options: { include_usage: true } }],
])('a %s reply of an engine without usage has an estimate', async (_, how) => {
  const silent = scriptedEngine(() => [...says('Hi')].filter(({ type }) => type !== 'usage'));
  const { stores, blobs } = memoryWork();
  const { post } = await listen({ engines: [silent], stores, blobs });
  const response = await post({ ...ask, ...how });
  const text = 'stream' in how ? (await frames(response)).at(-2) : await response.text();
  const { usage } = JSON.parse(text ?? '') as { usage: Record<string, number> };
  expect(usage).toMatchObject({ completion_tokens: 1 });
  expect(usage['prompt_tokens']).toBeGreaterThan(0);
});

test('a missing choice is an error', async () => {
  const second: ChatEvent[] = [
    { type: 'text', choice: 1, text: 'Hi' },
    { type: 'finish', choice: 1, reason: 'stop' },
  ];
  for (const events of [[], second]) {
    const { post } = await listen({
      engines: [scriptedEngine(() => events, { can: { parameters: { n: 'native' } } })],
    });
    expect((await post({ ...ask, n: 2 })).status).toBe(500);
    expect((await post({ ...ask, n: 2, stream: true })).status).toBe(500);
  }
});

test('accumulates unknown fields from their pieces', async () => {
  const pieces = [
    { audio: { id: 'a', data: 'x' } },
    { audio: { data: 'y' } },
    { audio: { expires_at: 5 } },
    { notes: ['1'] },
    { notes: ['2'] },
  ];
  const engine = scriptedEngine(() => [
    ...pieces.map((delta): ChatEvent => ({ type: 'extra', choice: 0, delta })),
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
  const { client } = await listen({ engines: [engine] });
  const { choices } = await client.chat.completions.create(ask);
  expect(choices[0]?.message).toMatchObject({ audio: { id: 'a', data: 'xy', expires_at: 5 }, notes: ['1', '2'] });
});

test.each([
  ['priority', 'priority'],
  ['flex', 'flex'],
  ['auto', 'default'],
])('service_tier %s is reported as %s', async (service_tier, used) => {
  const { client } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const completion = await client.chat.completions.create({ ...ask, service_tier: service_tier as 'auto' });
  expect(completion.service_tier).toBe(used);
});
