// Models of an engine that speaks the dialect: what the client sent reaches it, and its reply reaches the client.
import { setImmediate } from 'node:timers/promises';
import type { ChatEvent, NativeMessageEvent, NativeMessageRequest, Observer } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import { key, listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const ask = { model: 'scripted', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
const usage = { input_tokens: 5, cache_read_input_tokens: 90, output_tokens: 7, server_tool_use: { searches: 1 } };
const textOf = (text: string) => ({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } });
const end = { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage };
const replyTo = (text: string): readonly NativeMessageEvent[] => [
  { type: 'message_start', message: { id: 'msg_theirs', type: 'message', model: 'there', content: [], usage, role: 'r' } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'theirs' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: [] } },
  textOf(text),
  { type: 'content_block_stop', index: 1 },
  { type: 'content_block_start', index: 2, content_block: { type: 'hologram', bytes: [1] } },
  { type: 'content_block_stop', index: 2 },
  { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} } },
  { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"at":1}' } },
  { type: 'content_block_stop', index: 3 },
]; // prettier-ignore
const whole = (text: string): NativeMessageEvent => ({
  ...{ id: 'msg_theirs', type: 'message', role: 'assistant', model: 'there', stop_reason: 'tool_use', usage, more: 1 },
  content: [
    { type: 'text', text },
    { type: 'hologram', bytes: [1] },
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 1 } },
  ],
});

/** An engine that sends these events, one at a time, or throws an error in their place. */
function native(...events: readonly (NativeMessageEvent | Error)[]) {
  const asked: NativeMessageRequest[] = [];
  const engine = scriptedEngine(() => says('not native'));
  return {
    ...engine,
    asked,
    models: () => engine.models().map((model) => ({ ...model, dialect: 'messages' as const })),
    async *createMessage(request: NativeMessageRequest) {
      asked.push(request);
      for (const event of events) {
        await setImmediate();
        if (event instanceof Error) throw event;
        yield [event];
      }
    },
    countMessageTokens: (request: NativeMessageRequest) => {
      asked.push(request);
      return Promise.resolve(12);
    },
  };
}

async function post(url: string, body: object, headers: Record<string, string> = {}, path = '') {
  const response = await fetch(`${url}/v1/messages${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function postStream(url: string, body: object = ask, headers: Record<string, string> = {}) {
  const { text } = await post(url, { ...body, stream: true }, headers);
  const data = text.split('\n\n').flatMap((frame) => frame.split('\n').slice(1, 2));
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as NativeMessageEvent);
}

async function postWhole(url: string, body: object = ask, headers: Record<string, string> = {}) {
  const { status, text } = await post(url, body, headers);
  return { status, ...(JSON.parse(text) as { readonly id: string; readonly error?: { readonly message: string } }) };
}

const counts = { input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: 0, output_tokens: 7 };

test('a whole message is relayed with the ID, the model and the usage of this server', async () => {
  const engine = native(whole('Hi'));
  const { url } = await listen({ engines: [engine] });
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
  const hosted = {
    tools,
    tool_choice: { type: 'tool', name: 'web_search' },
    container: 'c',
    mcp_servers: [{ name: 'm' }],
  };
  const body = { ...ask, thinking: { type: 'adaptive' }, ...hosted };
  const message = await postWhole(url, body, { 'anthropic-beta': 'one,two' });
  expect(message).toEqual({
    // An upstream may leave these out.
    ...{ stop_sequence: null, stop_details: null, container: null },
    ...whole('Hi'),
    status: 200,
    id: expect.stringMatching(/^msg_(?!theirs)/) as string,
    model: 'scripted',
    usage: { ...usage, ...counts, output_tokens_details: null, service_tier: 'standard' },
  });
  expect(engine.asked).toEqual([{ body, betas: 'one,two' }]);
});

test('the events of a stream are relayed, and its last event is that of this server', async () => {
  const { url } = await listen({ engines: [native(...replyTo('Hi'), end)] });
  const [first, ...others] = await postStream(url);
  expect(first).toMatchObject({
    type: 'message_start',
    message: { id: expect.stringMatching(/^msg_(?!theirs)/) as string, model: 'scripted', role: 'r' },
  });
  expect(others).toEqual([
    ...replyTo('Hi').slice(1),
    { ...end, usage: { ...usage, ...counts, output_tokens_details: null } },
    { type: 'message_stop' },
  ]);
});

test('a stream without a first event has one', async () => {
  const { url } = await listen({ engines: [native(...replyTo('Hi').slice(5, 7), end)] });
  expect((await postStream(url)).map(({ type }) => type)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'message_delta',
    'message_stop',
  ]);
});

test.each([
  ['with another reason', { stop_reason: 'end_turn', stop_sequence: 'E' }, ['E', 'F']],
  ['without the only one', { stop_reason: 'stop_sequence', stop_sequence: null }, ['E']],
])('a stop sequence that an upstream reports %s is completed', async (_, stop, stop_sequences) => {
  const completed = { stop_reason: 'stop_sequence', stop_sequence: 'E' };
  const request = { ...ask, stop_sequences };
  const streamed = await listen({ engines: [native(...replyTo('Hi'), { ...end, delta: stop })] });
  expect((await postStream(streamed.url, request)).at(-2)).toMatchObject({ delta: completed });
  const { url } = await listen({ engines: [native({ ...whole('Hi'), ...stop })] });
  expect(await postWhole(url, request)).toMatchObject(completed);
});

test('a failure after output is an error event, and before it a status', async () => {
  const failure = new RequestError('Overloaded', { status: 503, code: 'upstream_error' });
  const late = await listen({ engines: [native(...replyTo('Hi').slice(0, 7), failure)] });
  expect((await postStream(late.url)).at(-1)).toMatchObject({
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded' },
  });
  const early = await listen({ engines: [native(failure)] });
  expect(await post(early.url, { ...ask, stream: true })).toMatchObject({ status: 503 });
});

test.each([false, true])('a relayed message is stored as a completion on request, streamed %s', async (stream) => {
  const { stores, blobs } = memoryWork();
  const engine = native(...(stream ? [...replyTo('Hi'), end] : [whole('Hi')]));
  const { url, client } = await listen({ engines: [engine], stores, blobs });
  const { text } = await post(url, { ...ask, stream }, { 'x-modelwire-store': 'true' });
  expect(text).toContain('hologram');
  const [, id = ''] = /"id":"msg_(\w+)"/.exec(text) ?? [];
  const stored = await client.chat.completions.retrieve(`chatcmpl-${id}`);
  expect(stored.choices[0]?.message).toMatchObject({
    content: 'Hi',
    tool_calls: [{ id: 'toolu_1', function: { name: 'look', arguments: '{"at":1}' } }],
  });
  expect(stored.usage).toMatchObject({ prompt_tokens: 95, completion_tokens: 7 });
});

test('an observer receives relayed messages as events of a chat', async () => {
  const recorded: (ChatEvent | readonly string[])[] = [];
  const nothing = () => ({ headers: {}, end: () => undefined });
  const observer: Observer = {
    startRequest: () => ({
      startQueueWait: nothing,
      startModeration: nothing,
      startTool: nothing,
      startUpstreamAttempt: nothing,
      startGeneration: () => ({
        startUpstreamAttempt: nothing,
        onEvent: (event) => void recorded.push(event),
        end: ({ finishReasons }) => void recorded.push(finishReasons),
      }),
      end: () => undefined,
    }),
  };
  const { url } = await listen({ engines: [native(...replyTo('Hi'), end)], observer });
  expect((await postStream(url)).at(-1)).toEqual({ type: 'message_stop' });
  const contents = recorded.filter((event) => !('type' in event) || !['usage', 'extra'].includes(event.type));
  expect(contents).toMatchObject([
    { type: 'text', text: 'Hi' },
    { type: 'tool_call', id: 'toolu_1', kind: 'function', name: 'look' },
    { type: 'tool_input', text: '{"at":1}' },
    { type: 'finish', reason: 'stop' },
    ['stop'],
  ]);
  expect(recorded).toContainEqual({ type: 'extra', choice: 0, delta: { reasoning_content: 'Hm' } });
});

test.each([false, true])(
  'a moderated reply is relayed only if nothing in it is flagged, streamed %s',
  async (stream) => {
    const of = (text: string) => (stream ? [...replyTo(text), end] : [whole(text)]);
    const moderated = { moderationEngines: [wordModeration()], moderate: 'output' as const };
    const good = await listen({ engines: [native(...of('Hi'))], ...moderated });
    expect((await post(good.url, { ...ask, stream })).text).toContain('hologram');
    const hologram = { type: 'hologram', says: ['bad'] };
    const cited = { type: 'text', text: 'Hi', citations: [{ cited_text: 'bad' }] };
    const block = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block });
    const streams = [
      [...replyTo('bad words'), end],
      [block(hologram), ...replyTo('Hi'), end],
      [block(cited), end],
      [{ type: 'news', text: 'bad' }, end],
      [...replyTo('Hi'), { ...end, delta: { ...end.delta, stop_details: { explanation: 'bad' } } }],
    ];
    const wholes = [
      whole('bad words'),
      { ...whole('Hi'), content: [hologram] },
      { ...whole('Hi'), content: [cited] },
      { ...whole('Hi'), more: 'bad' },
    ];
    for (const events of stream ? streams : wholes.map((message) => [message])) {
      const bad = await listen({ engines: [native(...events)], ...moderated });
      const { text } = await post(bad.url, { ...ask, stream });
      expect(text).not.toMatch(/\bbad\b|"hologram"/);
      expect(text).toContain('"stop_reason":"refusal"');
    }
  },
);

test('a refusal of the upstream is relayed where replies are moderated', async () => {
  const refused = { ...end, delta: { stop_reason: 'refusal', stop_sequence: null } };
  const moderated = { moderationEngines: [wordModeration()], moderate: 'output' as const };
  const { url } = await listen({ engines: [native(...replyTo('Hi'), refused)], ...moderated });
  const events = await postStream(url);
  expect(events.find(({ type }) => type === 'content_block_start')).toEqual(replyTo('Hi')[1]);
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' } });
});

test('a request that is flagged, and one with blocks that cannot be moderated, do not reach the engine', async () => {
  const engine = native(whole('Hi'));
  const moderated = { moderationEngines: [wordModeration()], moderate: 'input' as const };
  const { url } = await listen({ engines: [engine], ...moderated });
  const flagged = { ...ask, messages: [{ role: 'user', content: 'bad words' }] };
  expect(await postWhole(url, flagged)).toMatchObject({
    status: 400,
    error: { message: expect.any(String) as string },
  });
  for (const type of ['mcp_tool_result', 'hologram']) {
    const result = { type, tool_use_id: 'a', content: 'bad words' };
    const unseen = { ...ask, messages: [{ role: 'assistant', content: [result] }, ...ask.messages] };
    expect(await postWhole(url, unseen)).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining(type) as string },
    });
  }
  const thought = [{ type: 'thinking', thinking: 'bad', signature: 's' }];
  const thinking = { ...ask, messages: [...ask.messages, { role: 'assistant', content: thought }, ...ask.messages] };
  expect(await postWhole(url, thinking)).toMatchObject({ status: 400 });
  const { max_tokens: _, ...prompt } = flagged;
  expect((await post(url, prompt, {}, '/count_tokens')).status).toBe(400);
  expect(engine.asked).toEqual([]);
});

test('tools of unknown types are relayed', async () => {
  const engine = native(whole('Hi'));
  const { url } = await listen({ engines: [engine] });
  const tools = [{ type: 'holograph_20300101', name: 'holograph', nothing: null, deep: [1] }];
  expect(await postWhole(url, { ...ask, tools })).toMatchObject({ status: 200 });
  expect(engine.asked[0]?.body['tools']).toEqual(tools);
});

test('blocks and fields of earlier replies that this server does not know are relayed', async () => {
  const engine = native(whole('Hi'));
  const { url } = await listen({ engines: [engine] });
  const result = {
    type: 'web_search_tool_result',
    tool_use_id: 'a',
    content: [{ news: 1 }],
    caller: { type: 'direct' },
  };
  const text = { type: 'text', text: 'Hi', citations: [{ cited_text: 'a' }], news: { deep: [1] } };
  const hologram = { type: 'hologram', nothing: null };
  const uploaded = { role: 'user', content: [{ type: 'container_upload', file_id: 'theirs', nothing: null }] };
  const messages = [...ask.messages, { role: 'assistant', content: [result, text, hologram], news: 1 }, uploaded];
  expect(await postWhole(url, { ...ask, messages })).toMatchObject({ status: 200 });
  expect(engine.asked[0]?.body['messages']).toEqual(messages);
});

test('documents by URL are relayed, and files of this server are refused', async () => {
  const engine = native(whole('Hi'));
  const { url } = await listen({ engines: [engine] });
  const document = (source: object) => ({
    ...ask,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read' },
          { type: 'document', source },
        ],
      },
    ],
  });
  const byUrl = document({ type: 'url', url: 'https://example.com/a.pdf' });
  expect(await postWhole(url, byUrl)).toMatchObject({ status: 200 });
  expect(engine.asked[0]?.body).toEqual(byUrl);
  expect(await postWhole(url, document({ type: 'file', file_id: 'file-1' }))).toMatchObject({
    status: 400,
    error: { details: { param: 'messages[0].content[1]' } },
  });
});

test('tokens are counted by the engine', async () => {
  const engine = native();
  const { url } = await listen({ engines: [engine] });
  const { max_tokens: _, ...body } = ask;
  expect((await post(url, body, {}, '/count_tokens')).text).toBe('{"input_tokens":12}');
  expect(engine.asked).toEqual([{ body, betas: null }]);
});

test('the model and its capabilities have the dialect', async () => {
  const { client } = await listen({
    engines: [native(whole('Hi')), scriptedEngine(() => says('Hi'), { id: 'other' })],
  });
  const { data } = await client.models.list();
  expect(data).toMatchObject([{ kinds: ['chat'], dialect: 'messages' }, { kinds: ['chat'] }]);
  expect(data[1]).not.toHaveProperty('dialect');
  expect(await client.models.retrieve('scripted')).toMatchObject({ dialect: 'messages' });
  expect(await client.get('/capabilities/scripted')).toMatchObject({ dialect: 'messages' });
});

test('requests of other interfaces for the model are refused', async () => {
  const { client } = await listen({ engines: [native(whole('Hi'))] });
  const refusal = { status: 400, param: 'model', message: expect.stringContaining("'/v1/messages' only") as string };
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  await expect(client.chat.completions.create({ model: 'scripted', messages })).rejects.toMatchObject(refusal);
  await expect(client.responses.create({ model: 'scripted', input: 'Hello' })).rejects.toMatchObject(refusal);
});
