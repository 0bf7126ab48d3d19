import { messageSchema, messageStreamEventSchema } from '@modelwire/schema/testing';
import type { MessageError, MessageStreamEvent } from '@modelwire/schema/types';
import type { ChatEvent } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import { key, listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { finish, text, toolCall, toolInput, withTools } from '../../testing/responses.ts';
import { says, scriptedEngine, slowly } from '../../testing/scripted-engine.ts';

const ask = { model: 'scripted', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
const weather = {
  name: 'get_weather',
  description: 'Weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

function post(url: string, body: unknown, headers: Record<string, string> = {}, path = ''): Promise<Response> {
  return fetch(`${url}/v1/messages${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** The events of a streamed message, each checked by the schema. */
async function eventsOf(response: Response): Promise<MessageStreamEvent[]> {
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const frames = (await response.text()).split('\n\n').filter(Boolean);
  return frames.map((frame) => {
    const [name = '', data = ''] = frame.split('\n');
    const event: unknown = JSON.parse(data.slice('data: '.length));
    expect(name).toBe(`event: ${messageStreamEventSchema.parse(event).type}`);
    return event as MessageStreamEvent;
  });
}

async function refusal(response: Response): Promise<{ readonly status: number } & MessageError['error']> {
  const body = (await response.json()) as MessageError;
  expect(body.type).toBe('error');
  expect(body.request_id).toBe(response.headers.get('request-id'));
  return { status: response.status, ...body.error };
}

const usage: ChatEvent = {
  type: 'usage',
  usage: {
    prompt_tokens: 105,
    completion_tokens: 7,
    total_tokens: 112,
    prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
};

test('a text becomes a message; input tokens do not include those of caches', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => [text('Hi'), text(' there'), finish(), usage])] });
  const response = await post(url, ask);
  const body: unknown = await response.json();
  expect(messageSchema.parse(body)).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-f]{32}$/) as string,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [{ type: 'text', text: 'Hi there' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 90,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 2 },
      service_tier: 'standard',
    },
  });
  expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
});

test('a stream has the events of the message in order', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => slowly([text('Hi'), text('!'), finish(), usage]))] });
  const events = await eventsOf(await post(url, { ...ask, stream: true }));
  expect(events).toMatchObject([
    { type: 'message_start', message: { content: [], stop_reason: null, usage: { output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '!' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 10, output_tokens: 7 } },
    { type: 'message_stop' },
  ]);
});

test('interleaved calls become blocks that follow each other', async () => {
  const reply: ChatEvent[] = [
    text('Looking'),
    toolCall(0, 'get_weather'),
    toolInput(0, '{"city":'),
    toolCall(1, 'get_weather'),
    toolInput(1, '{"city":"Rome"}'),
    toolInput(0, '"Paris"}'),
    toolCall(2, 'get_time', 'function', 'call_0'),
    finish('tool_calls'),
  ];
  const { url } = await listen({ engines: [scriptedEngine(() => reply, withTools)] });
  const request = { ...ask, tools: [weather] };
  const body: unknown = await (await post(url, request)).json();
  expect(body).toMatchObject({
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'Looking' },
      { type: 'tool_use', id: 'call_0', name: 'get_weather', input: { city: 'Paris' } },
      { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Rome' } },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/) as string, name: 'get_time', input: {} },
    ],
  });
  const events = await eventsOf(await post(url, { ...request, stream: true }));
  const input = events.flatMap((event) =>
    event.type === 'content_block_delta' && event.delta.type === 'input_json_delta'
      ? [[event.index, event.delta.partial_json]]
      : [],
  );
  expect(input).toEqual([
    [1, '{"city":'],
    [1, '"Paris"}'],
    [2, '{"city":"Rome"}'],
  ]);
});

test('a conversation with tools becomes chat messages', async () => {
  const engine = scriptedEngine(() => says('ok'), { can: { ...withTools.can, inputs: ['text', 'image'] } });
  const { url } = await listen({ engines: [engine] });
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const response = await post(url, {
    ...ask,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ ...weather, cache_control: { type: 'ephemeral', ttl: '1h' } }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'system', content: 'Use Celsius.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'x' },
          { type: 'text', text: 'Looking', citations: null },
          { type: 'tool_use', id: 'a', name: 'get_weather', input: { city: 'Paris' }, caller: { type: 'direct' } },
          { type: 'tool_use', id: 'b', name: 'get_weather', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'b', content: 'no city', is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [
              { type: 'text', text: '15 degrees' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
            ],
          },
          { type: 'text', text: 'And now?' },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Doc' } }],
      },
    ],
  });
  expect(response.status).toBe(502);
  const [asked] = engine.asked;
  expect(asked?.request).toMatchObject({
    tool_choice: 'auto',
    max_completion_tokens: undefined,
    tools: [{ type: 'function', function: { name: 'get_weather', description: 'Weather of a city' } }],
  });
  expect(asked?.request.messages.slice(0, 5)).toEqual([
    { role: 'system', content: expect.stringMatching(/^Be brief\.\n\nUse Celsius\./) as string },
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: 'Looking',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
        { id: 'b', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: '15 degrees' },
    { role: 'tool', tool_call_id: 'b', content: 'Error: no city' },
  ]);
  expect(asked?.request.messages[5]).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: "Output of the call 'a':" },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      { type: 'text', text: 'And now?' },
      { type: 'text', text: 'Doc' },
    ],
  });
});

test('the stop sequence that ended the reply is named, and nothing after it is sent', async () => {
  const can = { parameters: { stop: 'native' } } as const;
  const { url } = await listen({ engines: [scriptedEngine(() => says('one, t', 'wo, three'), { can })] });
  const request = { ...ask, stop_sequences: ['four', 'two'] };
  expect(await (await post(url, request)).json()).toMatchObject({
    content: [{ type: 'text', text: 'one, ' }],
    stop_reason: 'stop_sequence',
    stop_sequence: 'two',
  });
  const events = await eventsOf(await post(url, { ...request, stream: true }));
  expect(events).toContainEqual(
    expect.objectContaining({ delta: { stop_reason: 'stop_sequence', stop_sequence: 'two', stop_details: null } }),
  );
});

test.each([
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
] as const)('a reply that ends with %s has the stop reason %s', async (reason, stop_reason) => {
  const { url } = await listen({ engines: [scriptedEngine(() => [text('Hi'), finish(reason)])] });
  expect(await (await post(url, ask)).json()).toMatchObject({ stop_reason, content: [{ type: 'text', text: 'Hi' }] });
});

test('reasoning becomes a block with a signature, which the request can omit or hide', async () => {
  const reply: ChatEvent[] = [
    { type: 'extra', choice: 0, delta: { reasoning_content: 'Let me ' } },
    { type: 'extra', choice: 0, delta: { reasoning_content: 'think.' } },
    text('42'),
    finish(),
  ];
  const { url } = await listen({ engines: [scriptedEngine(() => reply)] });
  const contentOf = async (thinking?: object) =>
    ((await (await post(url, { ...ask, thinking })).json()) as { content: unknown }).content;
  const signature = expect.stringMatching(/^sig_/) as string;
  const answer = { type: 'text', text: '42' };
  const shown = [{ type: 'thinking', thinking: 'Let me think.', signature }, answer];
  expect(await contentOf()).toEqual(shown);
  expect(await contentOf({ type: 'adaptive' })).toEqual(shown);
  expect(await contentOf({ type: 'between_tools' })).toEqual(shown);
  expect(await contentOf({ type: 'enabled', budget_tokens: 1024, display: 'omitted' })).toEqual([
    { type: 'thinking', thinking: '', signature },
    answer,
  ]);
  expect(await contentOf({ type: 'disabled' })).toEqual([answer]);
  const events = await eventsOf(await post(url, { ...ask, stream: true }));
  expect(events.slice(1, 6)).toEqual([
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Let me ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'think.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature } },
    { type: 'content_block_stop', index: 0 },
  ]);
});

test.each([true, false])(
  'reasoning that is sent back is given to a model that takes it (%s), and omitted for others',
  async (takes) => {
    const reasoned: ChatEvent[] = [
      { type: 'extra', choice: 0, delta: { reasoning_content: 'Hm.' } },
      text('42'),
      finish(),
    ];
    const engine = scriptedEngine(() => reasoned, { can: { reasoning_content: takes } });
    const { url } = await listen({ engines: [engine] });
    const { content } = (await (await post(url, ask)).json()) as { readonly content: unknown[] };
    const redacted = { type: 'redacted_thinking', data: 'x' };
    const only = { role: 'assistant', content: [{ type: 'thinking', thinking: 'Cut', signature: 'x' }] };
    const messages = [...ask.messages, { role: 'assistant', content: [redacted, ...content] }, ...ask.messages, only];
    expect((await post(url, { ...ask, messages: [...messages, ...ask.messages] })).status).toBe(200);
    expect(engine.asked[1]?.request.messages).toEqual([
      ...ask.messages,
      { role: 'assistant', content: '42', ...(takes && { reasoning_content: 'Hm.' }) },
      ...[...ask.messages, ...ask.messages],
    ]);
  },
);

test.each([
  [{ output_config: { effort: 'max' } }, 'high'],
  [{ output_config: { effort: 'medium' } }, 'low'],
  [{ thinking: { type: 'enabled', budget_tokens: 32_000 } }, 'high'],
  [{ thinking: { type: 'disabled' } }, 'low'],
  [{}, 'low'],
])('%j becomes the nearest effort of the model, %s', async (fields, effort) => {
  const can = {
    parameters: { reasoning_effort: 'native' },
    efforts: { values: ['low', 'high'], default: 'low' },
  } as const;
  const engine = scriptedEngine(() => says('ok'), { can });
  const { url } = await listen({ engines: [engine] });
  expect((await post(url, { ...ask, ...fields })).status).toBe(200);
  expect(engine.asked[0]?.request.reasoning_effort).toBe(effort);
});

test('a schema of the reply is enforced as a structured output', async () => {
  const can = { parameters: { response_format: 'native' } } as const;
  const { url } = await listen({ engines: [scriptedEngine(() => says('{"river": "Rhine"} '), { can })] });
  const schema = { type: 'object', properties: { river: { type: 'string' } }, required: ['river'] };
  const strict = { type: 'json_schema', schema: { ...schema, additionalProperties: false } };
  const open = { type: 'json_schema', schema };
  for (const fields of [{ output_config: { format: strict } }, { output_format: open }]) {
    const response = await post(url, { ...ask, ...fields });
    const body = (await response.json()) as { content: { text: string }[] };
    expect(JSON.parse(body.content[0]?.text ?? '')).toEqual({ river: 'Rhine' });
  }
});

test('a limit of 0 tokens only reads the prompt', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  expect(await (await post(url, { ...ask, max_tokens: 0 })).json()).toMatchObject({ content: [] });
});

test('tools of hosted services are left out and named, or refused', async () => {
  const request = { ...ask, tools: [weather, { type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] };
  const engine = scriptedEngine(() => says('ok'), withTools);
  const { url } = await listen({ engines: [engine] });
  const response = await post(url, request);
  expect(response.headers.get('x-modelwire-unsupported-tools')).toBe('web_search_20250305');
  expect(engine.asked[0]?.request.tools).toHaveLength(1);
  const strict = await listen({ engines: [engine], hostedTools: 'refuse' });
  expect(await refusal(await post(strict.url, request))).toMatchObject({
    status: 400,
    details: { error_code: 'unsupported_value', param: 'tools[1].type' },
  });
});

test.each([
  ['an unknown field', { max_token: 5 }, 'unknown_parameter', 'max_token'],
  ['no limit of tokens', { max_tokens: undefined }, 'missing_required_parameter', 'max_tokens'],
  ['a thread', { thread: { type: 'create' } }, 'thread_unsupported_request', 'thread'],
  ['a container', { container: 'c' }, 'unsupported_parameter', 'container'],
  ['no messages', { messages: [] }, 'empty_array', 'messages'],
  [
    'a result without a call',
    { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }] },
    'invalid_value',
    'messages[0].content[0].tool_use_id',
  ],
  [
    'a call without a result',
    { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] }] },
    'invalid_value',
    'messages[0].content[0]',
  ],
  [
    'a block of an unknown type',
    { messages: [{ role: 'user', content: [{ type: 'hologram', text: 'Hello' }] }] },
    'unsupported_value',
    'messages[0].content[0].type',
  ],
  [
    'a tool of an unknown type',
    { tools: [{ type: 'holograph_20300101', name: 'holograph' }] },
    'unsupported_value',
    'tools[0].type',
  ],
  ['an unknown field of a tool', { tools: [{ ...weather, stricter: true }] }, 'unknown_parameter', 'tools[0].stricter'],
  ['a tool without a name', { tools: [{ input_schema: {} }] }, 'missing_required_parameter', 'tools[0].name'],
  [
    'a block of the other role',
    { messages: [{ role: 'user', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] }] },
    'invalid_value',
    'messages[0].content[0].type',
  ],
  [
    'an unknown field of a block',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', txt: 1 }] }] },
    'unknown_parameter',
    'messages[0].content[0].txt',
  ],
  [
    'a block without a type',
    { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] },
    'missing_required_parameter',
    'messages[0].content[0].type',
  ],
  ['a choice without tools', { tool_choice: { type: 'any' } }, 'invalid_value', 'tool_choice'],
  [
    'a document to download',
    {
      messages: [
        { role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://example.com/a' } }] },
      ],
    },
    'unsupported_value',
    'messages[0].content[0].source.type',
  ],
  [
    'an image for a text model',
    {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a' }] },
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }] },
      ],
    },
    'unsupported_value',
    'messages[1].content[0]',
  ],
])('%s is a 400 in the form of the dialect that names it', async (_, fields, error_code, param) => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('ok'))] });
  expect(await refusal(await post(url, { ...ask, ...fields }))).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    details: { error_code, param },
  });
});

test('the 400 for a tool of an unknown type lists the only type that the model can support', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('ok'))] });
  const { message } = await refusal(await post(url, { ...ask, tools: [{ type: 'holograph_20300101', name: 'a' }] }));
  expect(message).toMatch(/ Others support: 'custom'\.$/);
});

test('null is absent, and hints have no effect', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('ok'))] });
  const hints = {
    cache_control: { type: 'ephemeral', scope: 'global' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    diagnostics: { previous_message_id: null },
    metadata: { user_id: 'x'.repeat(200) },
    mcp_servers: [],
    ...Object.fromEntries(
      [
        'container',
        'thread',
        'system',
        'tools',
        'tool_choice',
        'thinking',
        'output_config',
        'top_k',
        'temperature',
      ].map((name) => [name, null]),
    ),
  };
  const headers = { 'anthropic-version': 'tomorrow', 'anthropic-beta': 'unknown-2030-01-01' };
  expect((await post(url, { ...ask, ...hints }, headers, '?beta=true')).status).toBe(200);
});

test('errors have the form of the dialect: of keys, of models, of engines, and in streams', async () => {
  const engine = scriptedEngine(function* () {
    yield text('Hi');
    throw new RequestError('It failed.', { status: 503, code: 'overloaded' });
  });
  const early = scriptedEngine(
    () => {
      throw new RequestError('Too many tokens.', { status: 400, code: 'context_length_exceeded' });
    },
    { id: 'early' },
  );
  const { url } = await listen({ engines: [engine, early] });
  expect(await refusal(await post(url, ask, { 'x-api-key': 'wrong' }))).toMatchObject({
    status: 401,
    type: 'authentication_error',
  });
  expect(await refusal(await post(url, { ...ask, model: 'other' }))).toMatchObject({
    status: 404,
    type: 'not_found_error',
  });
  expect(await refusal(await post(url, { ...ask, model: 'early' }))).toMatchObject({
    status: 400,
    message: expect.stringMatching(/^prompt is too long: /) as string,
  });
  const unknown = await fetch(`${url}/v1/nothing`, { headers: { 'anthropic-version': '2023-06-01' } });
  expect(await refusal(unknown)).toMatchObject({ status: 404, type: 'not_found_error' });
});

test('an error after the first event is the last event of the stream', async () => {
  const engine = scriptedEngine(async function* () {
    yield* slowly([text('Hi')]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new RequestError('It failed.', { status: 503, code: 'overloaded' });
  });
  const { url } = await listen({ engines: [engine] });
  const response = await post(url, { ...ask, stream: true });
  const events = await eventsOf(response);
  expect(events.at(-1)).toEqual({
    type: 'error',
    error: { type: 'overloaded_error', message: 'It failed.', details: { error_code: 'overloaded', param: null } },
    request_id: response.headers.get('request-id'),
  });
});

test('a stream without events is kept alive by pings', async () => {
  const gate = Promise.withResolvers<undefined>();
  const engine = scriptedEngine(async function* () {
    await gate.promise;
    yield* says('Hi');
  });
  const { url } = await listen({ engines: [engine], streamKeepAliveMs: 10 });
  const response = await post(url, { ...ask, stream: true });
  gate.resolve(undefined);
  expect((await eventsOf(response))[0]).toEqual({ type: 'ping' });
});

test('input of a call that is no object is a 502, and input that was cut off is empty', async () => {
  const cut = (reason: 'tool_calls' | 'length') =>
    scriptedEngine(() => [toolCall(0, 'get_weather'), toolInput(0, '{"city":'), finish(reason)], withTools);
  const request = { ...ask, tools: [weather] };
  const malformed = await listen({ engines: [cut('tool_calls')] });
  expect(await refusal(await post(malformed.url, request))).toMatchObject({ status: 502, type: 'api_error' });
  const truncated = await listen({ engines: [cut('length')] });
  expect(await (await post(truncated.url, request)).json()).toMatchObject({
    stop_reason: 'max_tokens',
    content: [{ type: 'tool_use', input: {} }],
  });
});

test('tokens of a prompt are counted', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('ok'), { promptTokens: 12 })] });
  const { max_tokens: _, ...prompt } = ask;
  expect(await (await post(url, prompt, {}, '/count_tokens')).json()).toEqual({ input_tokens: 12 });
  expect(await refusal(await post(url, { model: 'scripted' }, {}, '/count_tokens'))).toMatchObject({ status: 400 });
  const exact = { ...scriptedEngine(() => says('ok'), { promptTokens: 12 }), countTokens: () => Promise.resolve(13) };
  const counted = await listen({ engines: [exact] });
  expect(await (await post(counted.url, prompt, {}, '/count_tokens')).json()).toEqual({ input_tokens: 13 });
});

test.each([true, false])(
  'reasoning that is sent back is counted for a model that takes it (%s) only',
  async (takes) => {
    const { url } = await listen({
      engines: [scriptedEngine(() => says('ok'), { can: { reasoning_content: takes } })],
    });
    const count = async (...content: object[]): Promise<unknown> => {
      const messages = [...ask.messages, { role: 'assistant', content }, ...ask.messages];
      return (await post(url, { model: 'scripted', messages }, {}, '/count_tokens')).json();
    };
    const answer = { type: 'text', text: 'Hi' };
    const thinking = { type: 'thinking', thinking: 'x'.repeat(300), signature: '' };
    const { input_tokens: without } = (await count(answer)) as { readonly input_tokens: number };
    expect(await count(thinking, answer)).toEqual({ input_tokens: without + (takes ? 100 : 0) });
  },
);

test('the models have the form of the dialect where its version is sent', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('ok'))] });
  const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
  const list: unknown = await (await fetch(`${url}/v1/models?limit=1000&beta=true`, { headers })).json();
  const model = { type: 'model', id: 'scripted', display_name: 'scripted', created_at: '2023-11-14T22:13:20.000Z' };
  expect(list).toMatchObject({ data: [model], has_more: false, first_id: 'scripted', last_id: 'scripted' });
  const one = await fetch(`${url}/v1/models/scripted?beta=true`, { headers });
  expect(await one.json()).toMatchObject(model);
  expect(await refusal(await fetch(`${url}/v1/models/other`, { headers }))).toMatchObject({ status: 404 });
});

test.each([false, true])('a message is stored as a completion on request, streamed %s', async (stream) => {
  const { stores, blobs } = memoryWork();
  const { url, client } = await listen({ engines: [scriptedEngine(() => says('Hi', '!'))], stores, blobs });
  const response = await post(url, { ...ask, stream }, { 'x-modelwire-store': 'true' });
  const [, id = ''] = /"id":"msg_(\w+)"/.exec(await response.text()) ?? [];
  const stored = await client.chat.completions.retrieve(`chatcmpl-${id}`);
  expect(stored.choices[0]?.message.content).toBe('Hi!');
  await (await post(url, ask)).text();
  expect((await client.chat.completions.list()).data).toHaveLength(1);
});

test('storing all messages requires stores', async () => {
  const engines = [scriptedEngine(() => says('Hi'))];
  await expect(listen({ engines, storeMessages: true })).rejects.toThrow('storeMessages requires stores');
});

test('all messages that can be stored are, if the options say so and their requests do not refuse', async () => {
  const { stores, blobs } = memoryWork();
  const engines = [scriptedEngine(() => says('Hi'), { can: { inputs: ['text', 'file'] } })];
  const { url, client } = await listen({ engines, stores, blobs, storeMessages: true });
  const pdf = { type: 'base64', media_type: 'application/pdf', data: btoa('%PDF-1.4') };
  const unstorable = { ...ask, messages: [{ role: 'user', content: [{ type: 'document', source: pdf }] }] };
  expect((await post(url, unstorable)).status).toBe(200);
  expect((await post(url, ask, { 'x-modelwire-store': 'false' })).status).toBe(200);
  const message = (await (await post(url, ask)).json()) as { readonly id: string };
  const { data } = await client.chat.completions.list();
  expect(data.map(({ id }) => id)).toEqual([message.id.replace('msg_', 'chatcmpl-')]);
});

test('a server without stores refuses to store a message', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  expect(await refusal(await post(url, ask, { 'x-modelwire-store': 'true' }))).toMatchObject({
    status: 400,
    details: { param: 'x-modelwire-store' },
  });
});
