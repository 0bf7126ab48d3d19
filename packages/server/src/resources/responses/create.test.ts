import type { ChatEvent } from '@modelwire/ports';
import { storedResponse } from '@modelwire/ports/testing';
import { responseSchema } from '@modelwire/schema/testing';
import { zodTextFormat } from 'openai/helpers/zod';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { RequestError } from '../../errors.ts';
import { listen } from '../../testing/listen.ts';
import {
  eventsOf,
  finish,
  postResponse as post,
  text,
  toolCall as call,
  toolInput as input,
  withTools,
} from '../../testing/responses.ts';
import { failingEngine, says, scriptedEngine, slowly } from '../../testing/scripted-engine.ts';

const ask = { model: 'scripted', input: 'Hello' };
const usage: ChatEvent = {
  type: 'usage',
  usage: {
    prompt_tokens: 7,
    completion_tokens: 5,
    total_tokens: 12,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
};
test('a text becomes a message, and omitted fields have their defaults', async () => {
  const { client, url } = await listen({
    engines: [scriptedEngine(() => [text('Hi'), text(' there'), finish(), usage])],
  });
  const response = await client.responses.create(ask);
  expect(response.output_text).toBe('Hi there');
  const body = (await (await post(url, ask)).json()) as object;
  expect(responseSchema.parse(body)).toBeDefined();
  expect(body).toEqual(
    storedResponse({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/) as string,
      created_at: expect.any(Number) as number,
      completed_at: expect.any(Number) as number,
      output: [
        {
          type: 'message',
          id: expect.stringMatching(/^msg_/) as string,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hi there', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 12,
      },
      model: 'scripted',
      store: false,
    }),
  );
});

test('a streamed text has every event in the documented order, numbered, with IDs and usage', async () => {
  const engine = scriptedEngine(() => slowly([text('Hi'), text(' there'), finish(), usage]));
  const { url } = await listen({ engines: [engine] });
  const events = await eventsOf(await post(url, { ...ask, stream: true }));
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  expect(events[0]).toMatchObject({ response: { status: 'in_progress', output: [], usage: null } });
  expect(events[2]).toMatchObject({ output_index: 0, item: { status: 'in_progress', content: [] } });
  expect(events[4]).toMatchObject({ output_index: 0, content_index: 0, delta: 'Hi', logprobs: [] });
  expect(events.at(-1)).toMatchObject({
    response: { status: 'completed', output: [{ content: [{ text: 'Hi there' }] }], usage: { total_tokens: 12 } },
  });
});

test('deltas are padded to equal sizes, unless obfuscation is switched off', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('a', 'longer words'))] });
  const sizes = async (stream_options?: object): Promise<(number | undefined)[]> => {
    const events = await eventsOf(await post(url, { ...ask, stream: true, stream_options }));
    return events.flatMap((event) =>
      event.type === 'response.output_text.delta'
        ? ['obfuscation' in event ? JSON.stringify(event).length : undefined]
        : [],
    );
  };
  const [first, second] = await sizes();
  expect(first).toBe(second);
  expect(await sizes({ include_obfuscation: false })).toEqual([undefined, undefined]);
});

test('the SDK accumulates text, reasoning, refusals, functions and custom tools from the stream', async () => {
  const engine = scriptedEngine(
    () =>
      slowly([
        { type: 'extra', choice: 0, delta: { reasoning_content: 'Let me ' } },
        { type: 'extra', choice: 0, delta: { reasoning_content: 'see.' } },
        text('I look.'),
        call(0, 'look'),
        input(0, '{"at":'),
        input(0, '1}'),
        call(1, 'say', 'custom'),
        input(1, 'hey', 'custom'),
        finish('tool_calls'),
        usage,
      ]),
    withTools,
  );
  const { client } = await listen({ engines: [engine] });
  const tools = [
    { type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false },
    { type: 'custom' as const, name: 'say' },
  ];
  const streamed = await client.responses.stream({ ...ask, tools }).finalResponse();
  const whole = await client.responses.create({ ...ask, tools });
  for (const { output, status } of [streamed, whole]) {
    expect(status).toBe('completed');
    expect(output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Let me see.' }] },
      { type: 'message', content: [{ text: 'I look.' }] },
      { type: 'function_call', call_id: 'call_0', name: 'look', arguments: '{"at":1}', status: 'completed' },
      { type: 'custom_tool_call', call_id: 'call_1', name: 'say', input: 'hey', status: 'completed' },
    ]);
  }
  expect(engine.asked[0]?.request.tools).toMatchObject([
    { type: 'function', function: { name: 'look', strict: false } },
    { type: 'custom', custom: { name: 'say' } },
  ]);
});

test.each([
  ['given to a model that takes it', true],
  ['omitted for others', false],
])('reasoning is a summary if the request asks for one, and is sent back to be %s', async (_, reasoning_content) => {
  const reasoned: ChatEvent[] = [{ type: 'extra', choice: 0, delta: { reasoning: 'Hm.' } }, text('Yes.'), finish()];
  const engine = scriptedEngine(() => reasoned, { can: { reasoning_content } });
  const { url, client } = await listen({ engines: [engine] });
  const body = { ...ask, reasoning: { summary: 'auto' as const }, include: ['reasoning.encrypted_content' as const] };
  const events = await eventsOf(await post(url, { ...body, stream: true }));
  expect(events.map(({ type }) => type).filter((type) => type.includes('reasoning'))).toEqual([
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.reasoning_summary_part.done',
  ]);
  const { output } = await client.responses.create(body);
  expect(output[0]).toMatchObject({ summary: [{ text: 'Hm.' }], encrypted_content: expect.any(String) as string });
  await post(url, { ...ask, input: [...output, { role: 'user', content: 'Sure?' }] });
  expect(engine.asked.at(-1)?.request.messages).toEqual([
    { role: 'assistant', content: 'Yes.', ...(reasoning_content && { reasoning_content: 'Hm.' }) },
    { role: 'user', content: 'Sure?' },
  ]);
});

test.each([true, false])(
  'reasoning that is sent back is counted for a model that takes it (%s) only',
  async (takes) => {
    const engine = scriptedEngine(() => says('ok'), { can: { reasoning_content: takes } });
    const { client } = await listen({ engines: [engine] });
    const answer = { type: 'message' as const, role: 'assistant' as const, content: 'Hi' };
    const thought = { type: 'reasoning_text' as const, text: 'x'.repeat(300) };
    const reasoning = { type: 'reasoning' as const, id: 'rs_1', summary: [], content: [thought] };
    const count = (input: ResponseInputItem[]) => client.responses.inputTokens.count({ model: 'scripted', input });
    const { input_tokens: without } = await count([answer]);
    expect(await count([reasoning, answer])).toMatchObject({ input_tokens: without + (takes ? 100 : 0) });
  },
);

test('a reply that reaches the token limit is incomplete, and its last event reports that', async () => {
  const engine = scriptedEngine(() => [text('One two'), finish('length'), usage]);
  const { client, url } = await listen({ engines: [engine] });
  const response = await client.responses.create({ ...ask, max_output_tokens: 16 });
  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    completed_at: null,
    output: [{ status: 'incomplete', content: [{ text: 'One two' }] }],
  });
  const events = await eventsOf(await post(url, { ...ask, stream: true }));
  expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'incomplete' } });
});

test('a reply that a content filter truncated is incomplete', async () => {
  const { client } = await listen({ engines: [scriptedEngine(() => [text('One'), finish('content_filter')])] });
  expect(await client.responses.create(ask)).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  });
});

test('log probabilities come with deltas, at the end and in the response when include asks for them', async () => {
  const logprobs = [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] }];
  const can = { parameters: { logprobs: 'native', top_logprobs: 'native' } } as const;
  const engine = scriptedEngine(() => [{ type: 'text', choice: 0, text: 'Hi', logprobs }, finish()], { can });
  const { url, client } = await listen({ engines: [engine] });
  const body = { ...ask, include: ['message.output_text.logprobs' as const], top_logprobs: 2 };
  const events = await eventsOf(await post(url, { ...body, stream: true }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'response.output_text.delta', logprobs }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'response.output_text.done', logprobs }));
  expect((await client.responses.create(body)).output).toMatchObject([{ content: [{ logprobs }] }]);
  expect((await client.responses.create(ask)).output).toMatchObject([{ content: [{ logprobs: [] }] }]);
  expect(engine.asked[0]?.request).toMatchObject({ logprobs: true, top_logprobs: 2 });
});

test('structured output is parsed by the SDK', async () => {
  const can = { parameters: { response_format: 'native' }, response_formats: ['text', 'json_schema'] } as const;
  const engine = scriptedEngine(() => says('{"name":"Rhine"}'), { can });
  const { client } = await listen({ engines: [engine] });
  const format = zodTextFormat(z.object({ name: z.string() }), 'river');
  const { output_parsed } = await client.responses.parse({ ...ask, text: { format } });
  expect(output_parsed).toEqual({ name: 'Rhine' });
  expect(engine.asked[0]?.request.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'river', strict: true, schema: { type: 'object' } },
  });
});

test('an engine that fails before its first event causes an HTTP status, also for a stream', async () => {
  const engine = scriptedEngine(() => {
    throw new RequestError('busy', { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } });
  });
  const { url } = await listen({ engines: [engine] });
  for (const stream of [true, false]) {
    const response = await post(url, { ...ask, stream });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
  }
});

test('an engine that fails after its first event ends the stream with error and response.failed', async () => {
  const engine = failingEngine();
  const { url, client } = await listen({ engines: [engine] });
  const response = await post(url, { ...ask, stream: true });
  const stream = await client.responses.create({ ...ask, stream: true });
  engine.fail();
  const events = await eventsOf(response);
  expect(events.slice(-2)).toMatchObject([
    { type: 'error', code: 'internal_error', error: { type: 'server_error', code: 'internal_error' } },
    { type: 'response.failed', response: { status: 'failed', error: { code: 'internal_error' } } },
  ]);
  expect(JSON.stringify(events)).not.toContain('secret');
  await expect(Array.fromAsync(stream)).rejects.toThrow('had an error');
});

test('all parameters with an equivalent in chat reach the engine under their chat names', async () => {
  const can = {
    ...withTools.can,
    parameters: {
      ...withTools.can.parameters,
      temperature: 'native',
      top_p: 'native',
      reasoning_effort: 'native',
      verbosity: 'native',
      presence_penalty: 'native',
      frequency_penalty: 'native',
      prompt_cache_key: 'native',
      max_completion_tokens: 'native',
      parallel_tool_calls: 'native',
      tool_choice: 'native',
    },
    verbosities: ['low', 'medium'],
  } as const;
  const engine = scriptedEngine(() => says('Hi'), { can });
  const { url } = await listen({ engines: [engine] });
  const response = await post(url, {
    ...ask,
    instructions: 'Be brief.',
    max_output_tokens: 20,
    temperature: 0.5,
    top_p: 0.9,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    reasoning: { effort: 'max' },
    text: { verbosity: 'low' },
    service_tier: 'fast',
    prompt_cache_key: 'key',
    safety_identifier: 'user-1',
    metadata: { topic: 'rivers' },
    parallel_tool_calls: false,
    tools: [{ type: 'function', name: 'look' }],
    tool_choice: { type: 'function', name: 'look' },
  });
  expect(engine.asked[0]?.request).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    max_completion_tokens: 20,
    temperature: 0.5,
    top_p: 0.9,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    reasoning_effort: 'max',
    verbosity: 'low',
    service_tier: 'fast',
    prompt_cache_key: 'key',
    parallel_tool_calls: false,
    tool_choice: { type: 'function', function: { name: 'look' } },
  });
  expect(await response.json()).toMatchObject({
    instructions: 'Be brief.',
    service_tier: 'priority',
    metadata: { topic: 'rivers' },
    reasoning: { effort: 'max', summary: null },
    text: { format: { type: 'text' }, verbosity: 'low' },
    safety_identifier: 'user-1',
    tools: [{ type: 'function', name: 'look', description: null, parameters: null, strict: null }],
  });
});
