import { expect, test } from 'vitest';
import { RequestError } from '../errors.ts';
import type { RequestLogEntry } from '../request-log.ts';
import { listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';
import { allCapabilities } from '@modelwire/ports';

const ask = { model: 'public', messages: [{ role: 'user' as const, content: 'Hello' }] };
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

const upstream = { id: 'theirs', object: 'chat.completion', created: 1, model: 'inner', system_fingerprint: 'fp_up' };
const chunk = (choice: object, more: object = {}) =>
  JSON.stringify({
    ...upstream,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, finish_reason: null, ...choice }],
    usage: null,
    ...more,
  });

function relaying(...payloads: (string[] | Error)[]) {
  return scriptedEngine(() => says('not this way'), {
    id: 'public',
    can: allCapabilities(),
    relay: async ({ requestBody }) =>
      requestBody.stream
        ? {
            kind: 'stream',
            payloads: (async function* () {
              for (const texts of payloads) {
                if (texts instanceof Error) throw texts;
                await new Promise(setImmediate);
                yield texts.map((text) => ({ text }));
              }
            })(),
          }
        : {
            kind: 'completion',
            completion: {
              ...upstream,
              choices: [{ message: { content: 'Hi', reasoning: 'hm' }, finish_reason: 'stop' }],
              usage,
              timings: { ms: 4 },
            },
          },
  });
}

const hello = [
  [chunk({ delta: { content: 'Hel' } }, { obfuscation: 'theirs' })],
  [chunk({ delta: { content: 'lo', reasoning: 'hm' } }), chunk({ delta: {}, finish_reason: 'stop' })],
  [JSON.stringify({ ...upstream, choices: [], usage })],
];

test("a complete reply keeps the upstream's fields, with the server's ID, time and model", async () => {
  const { client } = await listen({ engines: [relaying()] });
  const completion = await client.chat.completions.create(ask);
  expect(completion).toMatchObject({
    object: 'chat.completion',
    model: 'public',
    system_fingerprint: 'fp_up',
    service_tier: 'default',
    choices: [
      { index: 0, logprobs: null, message: { role: 'assistant', content: 'Hi', refusal: null, reasoning: 'hm' } },
    ],
    usage,
    timings: { ms: 4 },
  });
  expect(completion.id).toMatch(/^chatcmpl-/);
  expect(completion.created).toBeGreaterThan(1);
});

test('a stream keeps all fields of its deltas, starts with the role, and has usage if requested', async () => {
  const { client } = await listen({ engines: [relaying(...hello)] });
  const asked = await client.chat.completions.create({ ...ask, stream: true, stream_options: { include_usage: true } });
  const chunks = await Array.fromAsync(asked);
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { role: 'assistant', content: 'Hel' },
    { content: 'lo', reasoning: 'hm' },
    {},
    undefined,
  ]);
  expect(chunks.map((one) => one.usage)).toEqual([null, null, null, usage]);
  expect(new Set(chunks.map(({ id, model }) => `${id} ${model}`)).size).toBe(1);
  const silent = await Array.fromAsync(await client.chat.completions.create({ ...ask, stream: true }));
  expect(silent).toHaveLength(3);
  expect(silent.some((one) => 'usage' in one)).toBe(false);
});

test("the server pads deltas itself: the upstream's padding is removed, sizes are equal, and clients can disable it", async () => {
  const { post } = await listen({ engines: [relaying(...hello)] });
  const frames = async (stream_options: object) =>
    (await (await post({ ...ask, stream: true, stream_options })).text())
      .split('\n\n')
      .filter((frame) => frame.includes('{'));
  const padded = await frames({});
  expect(new Set(padded.map((frame) => frame.length)).size).toBe(1);
  expect(padded.join()).not.toContain('"theirs"');
  expect((await frames({ include_obfuscation: false })).join()).not.toContain('obfuscation');
});

test("chunks keep the upstream's content, whether or not they differ only in their choices", async () => {
  const said = [
    { delta: { content: 'a' } },
    { delta: { content: 'tricky ],"usage":null} \\ "choices":[ ]}' } },
    { delta: { content: 'b', reasoning: '日本' }, logprobs: { content: [], refusal: null } },
  ];
  const after = { timings: [1, 2], service_tier: 'flex' };
  const payloads = [
    [chunk({ ...said[0], delta: { role: 'assistant', content: 'a' } })],
    [
      chunk({ ...said[1] }),
      chunk({ ...said[2] }, { obfuscation: 'theirs' }),
      chunk({ delta: { content: 'c' } }, after),
    ],
    [chunk({ delta: {}, finish_reason: 'stop' })],
  ];
  const { post } = await listen({ engines: [relaying(...payloads)] });
  const text = await (await post({ ...ask, stream: true, stream_options: { include_obfuscation: false } })).text();
  const chunks = text
    .split('\n\n')
    .filter((frame) => frame.includes('{'))
    .map((frame) => JSON.parse(frame.slice(6)) as { id: string; choices: [{ delta: unknown }] });
  expect(chunks.map(({ choices }) => choices[0].delta)).toEqual([
    { role: 'assistant', content: 'a' },
    said[1]?.delta,
    said[2]?.delta,
    { content: 'c' },
    {},
  ]);
  expect(chunks[3]).toMatchObject(after);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(text).not.toContain('theirs');
});

test('an upstream that ignores n is an error, complete and streamed', async () => {
  const { post } = await listen({ engines: [relaying(...hello)] });
  const whole = await post({ ...ask, n: 2 });
  expect([whole.status, await whole.text()]).toEqual([502, expect.stringContaining('upstream_incomplete')]);
  const text = await (await post({ ...ask, n: 2, stream: true })).text();
  expect(text).toContain('"upstream_incomplete"');
  expect(text).not.toContain('[DONE]');
});

test('an upstream that breaks after its first chunk ends the stream with an error frame', async () => {
  const broken = new RequestError('The model server broke off.', { status: 502, code: 'upstream_stream_interrupted' });
  const { post } = await listen({ engines: [relaying(hello[0] ?? [], broken)] });
  const text = await (await post({ ...ask, stream: true })).text();
  expect(text).toContain('"upstream_stream_interrupted"');
  expect(text).not.toContain('[DONE]');
});

test.each([
  ['not JSON'],
  ['[]'],
  ['{"choices":1}'],
  ['{"choices":[1]}'],
  ['{"choices":[{"index":1,"delta":{}}]}'],
  ['{"choices":[{"index":-1,"delta":{}}]}'],
])('a chunk %s returns 502', async (text) => {
  const { post } = await listen({ engines: [relaying([text])] });
  const response = await post({ ...ask, stream: true });
  expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('upstream_malformed')]);
});

test('does not relay what the server has to enforce itself', async () => {
  const engine = scriptedEngine(() => says('a', 'b', 'c'), {
    id: 'public',
    can: { parameters: { stop: 'emulated' } },
    relay: () => Promise.reject(new Error('not to be asked')),
  });
  const { client } = await listen({ engines: [engine] });
  const completion = await client.chat.completions.create({ ...ask, stop: 'b' });
  expect(completion.choices[0]?.message.content).toBe('a');
});

test('adds the missing field refusal to log probabilities, streamed and complete', async () => {
  const logprobs = { content: [{ token: 'Hi', logprob: -1, bytes: [72, 105], top_logprobs: [] }] };
  const streaming = relaying([chunk({ delta: { content: 'Hi' }, logprobs, finish_reason: 'stop' })]);
  const { client } = await listen({ engines: [streaming] });
  const [first] = await Array.fromAsync(await client.chat.completions.create({ ...ask, stream: true, logprobs: true }));
  expect(first?.choices[0]?.logprobs).toEqual({ ...logprobs, refusal: null });

  const engine = scriptedEngine(() => says('not this way'), {
    id: 'public',
    can: allCapabilities(),
    relay: async () => ({
      kind: 'completion',
      completion: { ...upstream, choices: [{ message: { content: 'Hi' }, logprobs, finish_reason: 'stop' }] },
    }),
  });
  const whole = await (await listen({ engines: [engine] })).client.chat.completions.create({ ...ask, logprobs: true });
  expect(whole.choices[0]?.logprobs).toEqual({ ...logprobs, refusal: null });
});

test.each([
  ['from its text', undefined, 34],
  ['up to the limit of each choice', 5, 5],
])('without usage of the upstream, the output is estimated %s', async (_, limit, tokens) => {
  const message = { role: 'assistant', content: 'x'.repeat(90), tool_calls: null, reasoning: 'y'.repeat(12) };
  const choices = [{ message, finish_reason: 'stop' }];
  const engine = scriptedEngine(() => says('not this way'), {
    id: 'public',
    can: allCapabilities(),
    relay: async () => ({ kind: 'completion', completion: { ...upstream, choices } }),
  });
  const log: RequestLogEntry[] = [];
  const { client } = await listen({ engines: [engine], log: (entry) => log.push(entry) });
  const completion = await client.chat.completions.create({ ...ask, max_completion_tokens: limit });
  expect(completion.usage).toMatchObject({ completion_tokens: tokens, prompt_tokens: expect.any(Number) as number });
  expect(log[0]).toMatchObject({ usageIsEstimated: true, usage: { completion_tokens: tokens } });
});

const usageOfChunks = (chunks: readonly { usage?: unknown }[]) => chunks.at(-1)?.usage;

test.each([
  ['no usage', undefined, { completion_tokens: 1 }, true],
  ['the prompt only', { prompt_tokens: 50, total_tokens: 50 }, { prompt_tokens: 50, completion_tokens: 1 }, undefined],
  ['the completion only', { completion_tokens: 3 }, { completion_tokens: 3 }, true],
])(
  'a stream of an upstream that reports %s has a usage chunk if requested',
  async (_, reported, expected, estimated) => {
    const log: RequestLogEntry[] = [];
    const last = reported ? [[JSON.stringify({ ...upstream, choices: [], usage: reported })]] : [];
    const engine = relaying(
      [chunk({ delta: { content: 'a' }, finish_reason: null })],
      [chunk({ delta: {}, finish_reason: 'stop' })],
      ...last,
    );
    const { client } = await listen({ engines: [engine], log: (entry) => log.push(entry) });
    const asked = await client.chat.completions.create({
      ...ask,
      stream: true,
      stream_options: { include_usage: true },
    });
    const usageSent = usageOfChunks(await Array.fromAsync(asked)) as Record<string, number>;
    expect(usageSent).toMatchObject(reported ? expected : {});
    expect(usageSent['prompt_tokens']).toBeGreaterThan(0);
    expect(usageSent['total_tokens']).toBe(usageSent['prompt_tokens']! + usageSent['completion_tokens']!);
    expect(log[0]).toMatchObject({ usage: { prompt_tokens: usageSent['prompt_tokens'] } });
    expect(log[0]?.usageIsEstimated).toBe(estimated);
  },
);

test('a reply without text and without usage counts its prompt, complete and streamed', async () => {
  const empty = { ...upstream, choices: [{ message: { role: 'assistant', content: '' }, finish_reason: 'stop' }] };
  const engine = scriptedEngine(() => [{ type: 'finish', choice: 0, reason: 'stop' }], {
    id: 'public',
    can: allCapabilities(),
    relay: async ({ requestBody }) =>
      requestBody.stream
        ? {
            kind: 'stream',
            payloads: (async function* () {
              yield [{ text: chunk({ delta: { role: 'assistant', content: '' }, finish_reason: 'stop' }) }];
            })(),
          }
        : { kind: 'completion', completion: empty },
  });
  const log: RequestLogEntry[] = [];
  const { client } = await listen({ engines: [engine], log: (entry) => log.push(entry) });
  await client.chat.completions.create(ask);
  await Array.fromAsync(await client.chat.completions.create({ ...ask, stream: true }));
  for (const entry of log)
    expect(entry).toMatchObject({ usageIsEstimated: true, usage: { total_tokens: expect.any(Number) as number } });
  for (const entry of log) expect(entry.usage?.prompt_tokens).toBeGreaterThan(0);
  expect(log).toHaveLength(2);
});

test('an event path without text and without usage counts its prompt, and sends the usage chunk', async () => {
  const engine = scriptedEngine(() => [{ type: 'finish', choice: 0, reason: 'stop' }], {
    id: 'public',
    can: allCapabilities(),
  });
  const log: RequestLogEntry[] = [];
  const { client } = await listen({ engines: [engine], log: (entry) => log.push(entry) });
  const asked = await client.chat.completions.create({ ...ask, stream: true, stream_options: { include_usage: true } });
  const usageSent = usageOfChunks(await Array.fromAsync(asked)) as Record<string, number>;
  expect(usageSent).toMatchObject({ completion_tokens: 0 });
  expect(usageSent['prompt_tokens']).toBeGreaterThan(0);
  expect(log[0]?.usage).toMatchObject(usageSent);
});
