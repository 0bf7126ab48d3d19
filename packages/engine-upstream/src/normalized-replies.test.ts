import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatEvent } from '@modelwire/ports';
import {
  engineRequest,
  drainStream,
  collectEvents,
  rejection,
  relayStream,
  relayWhole,
} from '../test/engine-request.ts';
import type { EngineRequest } from '../test/engine-request.ts';
import { chunk, frames, json, startEventStream } from '../test/fake-server.ts';
import type { RequestHandler } from '../test/fake-server.ts';
import { startUpstream } from '../test/start-upstream.ts';
import type { UpstreamOptions } from './options.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a client sees of a reply with one choice. */
interface SeenReply {
  text?: string;
  reasoning?: string;
  refusal?: string;
  calls?: { id: string; name: string; input: string }[];
  reason?: string;
  usage?: readonly number[];
}

const tools = ['get_weather', 'get_time', 'ping'].map((name) => ({ type: 'function', function: { name } }) as const);

async function start(handler: RequestHandler, options: Partial<UpstreamOptions> = {}) {
  const { engine } = await startUpstream(handler, { name: 'box' }, { retries: 0, ...options });
  onTestFinished(() => engine.close?.());
  return engine;
}

const request = (body: Record<string, unknown> = {}): EngineRequest => engineRequest(body, undefined, { tools });

const stream =
  (...payloads: readonly (string | object)[]): RequestHandler =>
  (response) =>
    startEventStream(response).end(
      frames(...payloads.map((payload) => (typeof payload === 'string' ? payload : JSON.stringify(payload))), '[DONE]'),
    );

/** The reply as a client of the relayed stream assembles it, and as the events say it: both must be the same. */
async function seen(handler: RequestHandler): Promise<SeenReply> {
  const engine = await start(handler);
  const { payloads, error } = await drainStream(engine, request({ stream: true }));
  if (error !== undefined) throw error as Error;
  const relayed = fromChunks(payloads);
  const events = fromEvents(await collectEvents(engine, request()));
  expect(normalIds(events)).toEqual(normalIds(relayed));
  return relayed;
}

/** The errors of both paths, which must be the same. */
async function failure(handler: RequestHandler, options?: Partial<UpstreamOptions>) {
  const engine = await start(handler, options);
  const { error } = await drainStream(engine, request({ stream: true }));
  const ofEvents = await rejection(collectEvents(engine, request()));
  expect(error).toMatchObject({ status: ofEvents.status, code: ofEvents.code, message: ofEvents.message });
  return ofEvents;
}

const generatedId = /^call_[\da-f-]{36}$/;

function normalIds(reply: SeenReply): SeenReply {
  return {
    ...reply,
    ...(reply.calls && {
      calls: reply.calls.map((call) => ({ ...call, id: call.id.replace(generatedId, 'generated') })),
    }),
  };
}

function fromChunks(payloads: readonly string[]): SeenReply {
  const reply: SeenReply = {};
  for (const payload of payloads) {
    const { choices, usage } = JSON.parse(payload) as { choices: Fields[]; usage?: Record<string, number> };
    if (usage) reply.usage = [usage['prompt_tokens']!, usage['completion_tokens']!, usage['total_tokens']!];
    for (const { index, delta, finish_reason: reason } of choices) {
      expect(index).toBe(0);
      addDelta(reply, delta as Fields);
      if (typeof reason === 'string') reply.reason = reason;
    }
  }
  return reply;
}

function addDelta(reply: SeenReply, delta: Fields): void {
  for (const [field, name] of [
    ['text', 'content'],
    ['reasoning', 'reasoning_content'],
    ['refusal', 'refusal'],
  ] as const) {
    const piece = delta[name];
    if (typeof piece === 'string' && piece !== '') reply[field] = (reply[field] ?? '') + piece;
    else expect(piece ?? '').toBe('');
  }
  for (const call of (delta['tool_calls'] ?? []) as { index: number; id: string; function: Record<string, string> }[]) {
    const calls = (reply.calls ??= []);
    const { name, arguments: input = '' } = call.function;
    expect(input).toBeTypeOf('string');
    const known = calls[call.index];
    if (known) known.input += input;
    else calls[call.index] = { id: call.id, name: name!, input };
  }
}

function fromEvents(events: readonly ChatEvent[]): SeenReply {
  const reply: SeenReply = {};
  for (const event of events) {
    if (event.type === 'text' && event.text !== '') reply.text = (reply.text ?? '') + event.text;
    if (event.type === 'refusal') reply.refusal = (reply.refusal ?? '') + event.text;
    if (event.type === 'extra') reply.reasoning = (reply.reasoning ?? '') + String(event.delta['reasoning_content']);
    if (event.type === 'tool_call') (reply.calls ??= [])[event.index] = { id: event.id, name: event.name, input: '' };
    if (event.type === 'tool_input') reply.calls![event.index]!.input += event.text;
    if (event.type === 'finish') reply.reason = event.reason;
    if (event.type === 'usage') {
      const { prompt_tokens, completion_tokens, total_tokens } = event.usage;
      reply.usage = [prompt_tokens, completion_tokens, total_tokens];
    }
  }
  return reply;
}

const hel = chunk({ role: 'assistant', content: 'Hel' });
const lo = chunk({ content: 'lo' });
const stop = chunk({}, 'stop');
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

describe('the end of a choice', () => {
  test.each(['', ' ', 'null', 'NULL', 'None'])('is not the finish reason %j', async (word) => {
    const reply = await seen(stream(chunk({ content: 'Hel' }, word), chunk({ content: 'lo' }, word), stop));
    expect(reply).toEqual({ text: 'Hello', reason: 'stop' });
  });

  test.each([
    ['length', ['length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'max_length', 'max_output_tokens', 'maxTokens']],
    ['length', ['token_limit', 'context_length_exceeded', 'model_context_window_exceeded', 'ERROR_LIMIT', 'truncated']],
    [
      'content_filter',
      ['content_filter', 'SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'refusal'],
    ],
    ['content_filter', ['content-filter', 'IMAGE_SAFETY', 'guardrail_intervened', 'sensitive', 'ERROR_TOXIC']],
    ['tool_calls', ['tool_calls', 'tool_use', 'TOOL_CALL', 'tool-calls', 'function_calls']],
    ['stop', ['stop', 'STOP', 'end_turn', 'eos', 'eos_token', 'stop_sequence', 'COMPLETE']],
  ])('is %s for the words %j', async (reason, words) => {
    for (const word of words) {
      expect(await seen(stream(hel, lo, chunk({}, word)))).toEqual({ text: 'Hello', reason });
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: word }];
      const engine = await start((response) => json(response, 200, { choices }));
      expect(await relayWhole(engine, request())).toMatchObject({ choices: [{ finish_reason: reason }] });
    }
  });

  test.each(['stop', 'STOP', 'eos', 'end_turn'])(
    'is tool_calls for a reply with calls and the word %s',
    async (word) => {
      const call = { index: 0, id: 'a', type: 'function', function: { name: 'ping', arguments: '{}' } };
      expect(await seen(stream(chunk({ tool_calls: [call] }), chunk({}, word)))).toMatchObject({
        reason: 'tool_calls',
      });
      const message = { role: 'assistant', content: null, tool_calls: [call] };
      const engine = await start((response) => json(response, 200, { choices: [{ message, finish_reason: word }] }));
      expect(await relayWhole(engine, request())).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
    },
  );

  test.each(['error', 'ERROR', 'abort', 'aborted', 'cancelled', 'network_error', 'MALFORMED_FUNCTION_CALL'])(
    'is a failed reply for the word %s',
    async (word) => {
      const expected = { status: 502, code: 'upstream_error', message: expect.stringContaining(word) as string };
      expect(await failure(stream(hel, chunk({}, word)))).toMatchObject(expected);
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hel' }, finish_reason: word }];
      const engine = await start((response) => json(response, 200, { choices }));
      expect(await rejection(relayWhole(engine, request()))).toMatchObject(expected);
    },
  );

  test('is a failed reply for an error in the choice', async () => {
    const choice = { index: 0, delta: {}, error: { code: 503, message: 'provider is gone' }, finish_reason: 'error' };
    const expected = { status: 503, message: 'provider is gone' };
    expect(await failure(stream(hel, { choices: [choice] }))).toMatchObject(expected);
    const engine = await start((response) =>
      json(response, 200, { choices: [{ ...choice, message: { content: 'Hel' } }] }),
    );
    expect(await rejection(relayWhole(engine, request()))).toMatchObject(expected);
  });

  test('is stop for an unknown word if the reply is otherwise whole, and the word is reported', async () => {
    const reported: string[][] = [];
    const onUnknownFinishReason = (...report: string[]): void => void reported.push(report);
    const engine = await start(stream(hel, lo, chunk({}, 'banana\n'), { choices: [], usage }), {
      onUnknownFinishReason,
    });
    const { payloads } = await drainStream(engine, request({ stream: true }));
    expect(fromChunks(payloads)).toEqual({ text: 'Hello', reason: 'stop', usage: [7, 3, 10] });
    expect(fromEvents(await collectEvents(engine, request()))).toMatchObject({ text: 'Hello', reason: 'stop' });
    expect(reported).toEqual([
      ['box', 'banana?'],
      ['box', 'banana?'],
    ]);
    const choices = [{ message: { content: 'Hello' }, finish_reason: 'banana' }];
    const whole = await start((response) => json(response, 200, { choices }));
    expect(await relayWhole(whole, request())).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

  test.each<[string, RequestHandler]>([
    ['without [DONE]', (response) => startEventStream(response).end(frames(hel, chunk({}, 'banana')))],
    ['without output', stream(chunk({}, 'banana'))],
  ])('is missing after an unknown word %s', async (_, handler) => {
    expect(await failure(handler)).toMatchObject({ status: 502, code: 'upstream_incomplete' });
  });

  test.each<[string, RequestHandler]>([
    ['before [DONE]', stream(hel, lo)],
    ['with empty words', stream(chunk({ content: 'a' }, ''), chunk({}, 'null'))],
    ['and no [DONE]', (response) => startEventStream(response).end(frames(hel, lo))],
    ['and nothing else', stream()],
  ])('that is missing %s makes the reply incomplete', async (_, handler) => {
    expect(await failure(handler)).toMatchObject({ status: 502, code: 'upstream_incomplete' });
  });

  test('that a complete JSON reply does not mention is the end of its body', async () => {
    const whole = (message: object) =>
      start((response) => json(response, 200, { choices: [{ message, finish_reason: null }] }));
    const finished = await relayWhole(await whole({ content: 'a' }), request());
    expect(finished).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(await rejection(relayWhole(await whole({ content: '' }), request()))).toMatchObject({
      code: 'upstream_incomplete',
    });
  });
});

describe('a frame', () => {
  const frame = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };

  test.each<[string, string | object]>([
    ['without choices', frame],
    ['with choices that are null', { ...frame, choices: null }],
    ['with no choices', { ...frame, choices: [], prompt_filter_results: [{ prompt_index: 0 }] }],
    ['that is a ping', { type: 'ping' }],
    ['of another object', { object: 'vendor.status', message: 'queued', status: 'ok' }],
    ['that is null', 'null'],
    ['that is an empty list', '[]'],
    ['that is a word in quotes', '"ping"'],
    ['that is a ping without JSON', 'ping'],
  ])('%s is skipped', async (_, skipped) => {
    const reply = await seen(stream(skipped, hel, skipped, lo, stop, skipped));
    expect(reply).toEqual({ text: 'Hello', reason: 'stop' });
  });

  test.each([{ choices: null, usage }, { usage }, { choices: [], usage }, { choices: [], x_groq: { usage } }])(
    'has usage: %j',
    async (fields) => {
      const reply = await seen(stream(hel, lo, stop, { ...frame, ...fields }));
      expect(reply).toEqual({ text: 'Hello', reason: 'stop', usage: [7, 3, 10] });
    },
  );

  test.each([
    ['in the choice', { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }, [7, 3, 10]],
    ['without the completion', { choices: [], usage: { prompt_tokens: 7, total_tokens: 10 } }, [7, 3, 10]],
    ['with null', { choices: [], usage: { prompt_tokens: 7, completion_tokens: null, total_tokens: 10 } }, [7, 3, 10]],
    ['with other names', { choices: [], usage: { input_tokens: 7, output_tokens: 3 } }, [7, 3, 10]],
  ])('has usage %s', async (_, last, expected) => {
    const frames_ = 'usage' in last ? [hel, lo, stop, last] : [hel, lo, last];
    expect(await seen(stream(...frames_))).toMatchObject({ text: 'Hello', usage: expected });
  });

  test('with an event name of its own is skipped', async () => {
    const reply = await seen((response) =>
      startEventStream(response).end(`event: ping\ndata: still here\n\n${frames(hel, lo, stop, '[DONE]')}`),
    );
    expect(reply.text).toBe('Hello');
  });

  test('without a delta, or with a whole message at the end, adds nothing', async () => {
    const filter = {
      choices: [{ index: 0, finish_reason: null, content_filter_results: { hate: { filtered: false } } }],
    };
    const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] };
    expect(await seen(stream(hel, filter, lo, whole))).toEqual({ text: 'Hello', reason: 'stop' });
  });

  test('after the end of its choice adds nothing', async () => {
    expect(await seen(stream(hel, lo, stop, lo, chunk({}, 'length')))).toEqual({ text: 'Hello', reason: 'stop' });
  });
});

describe('tool calls', () => {
  const call = (index: unknown, id: unknown, name: unknown, args: unknown) => ({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    type: 'function',
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
  });
  const weather = (id: string | RegExp = 'a') => ({ id: matching(id), name: 'get_weather', input: '{"city":"Oslo"}' });
  const time = (id: string | RegExp = 'b') => ({ id: matching(id), name: 'get_time', input: '{"tz":"CET"}' });
  const matching = (id: string | RegExp): unknown => (typeof id === 'string' ? id : expect.stringMatching(id));
  const oslo = '{"city":"Oslo"}';
  const cet = '{"tz":"CET"}';

  test.each<[string, unknown[], unknown[]]>([
    [
      'as the API sends them',
      [
        [call(0, 'a', 'get_weather', '')],
        [call(0, undefined, undefined, '{"city":')],
        [call(0, undefined, undefined, '"Oslo"}')],
      ],
      [weather()],
    ],
    [
      'a name that comes late',
      [[call(0, 'a', undefined, '')], [call(0, undefined, 'get_weather', '')], [call(0, undefined, undefined, oslo)]],
      [weather()],
    ],
    [
      'a name that comes after the arguments',
      [[call(0, 'a', undefined, '{"city":')], [call(0, undefined, 'get_weather', '"Oslo"}')]],
      [weather()],
    ],
    [
      'a name in pieces',
      [[call(0, 'a', 'get_', '')], [call(0, undefined, 'weather', '')], [call(0, undefined, undefined, oslo)]],
      [weather()],
    ],
    [
      'a name that is empty at first',
      [[call(0, 'a', '', '')], [call(0, '', 'get_weather', '')], [call(0, '', '', oslo)]],
      [weather()],
    ],
    [
      'a name that is null at first',
      [[call(0, 'a', null, null)], [call(0, null, 'get_weather', null)], [call(0, null, null, oslo)]],
      [weather()],
    ],
    [
      'a name in every delta',
      [
        [call(0, 'a', 'get_weather', '')],
        [call(0, 'a', 'get_weather', '{"city":')],
        [call(0, 'a', 'get_weather', '"Oslo"}')],
      ],
      [weather()],
    ],
    ['an ID that comes late', [[call(0, undefined, 'get_weather', '')], [call(0, 'a', undefined, oslo)]], [weather()]],
    [
      'an ID that changes',
      [[call(0, 'a', 'get_weather', '{"city":')], [call(0, 'z', undefined, '"Oslo"}')]],
      [weather()],
    ],
    [
      'an ID that changes with the name',
      [[call(0, 'a', 'get_weather', '{"city":')], [call(0, 'z', 'get_weather', '"Oslo"}')]],
      [weather()],
    ],
    ['no ID', [[call(0, undefined, 'get_weather', oslo)]], [weather(generatedId)]],
    ['an empty ID', [[call(0, '', 'get_weather', oslo)]], [weather(generatedId)]],
    [
      'an index that changes',
      [[call(0, 'a', 'get_weather', '{"city":')], [call(1, undefined, undefined, '"Oslo"}')]],
      [weather()],
    ],
    [
      'an index that does not start at 0',
      [[call(3, 'a', 'get_weather', oslo)], [call(5, 'b', 'get_time', cet)]],
      [weather(), time()],
    ],
    [
      'two calls on one index',
      [[call(0, 'a', 'get_weather', oslo)], [call(0, 'b', 'get_time', cet)]],
      [weather(), time()],
    ],
    [
      'two calls on one index without IDs',
      [[call(0, undefined, 'get_weather', oslo)], [call(0, undefined, 'get_time', cet)]],
      [weather(generatedId), time(generatedId)],
    ],
    [
      'two calls in one delta without indexes and IDs',
      [[call(undefined, undefined, 'get_weather', oslo), call(undefined, undefined, 'get_time', cet)]],
      [weather(generatedId), time(generatedId)],
    ],
    [
      'two calls of one function without indexes',
      [[call(undefined, 'a', 'get_weather', oslo)], [call(undefined, 'b', 'get_weather', oslo)]],
      [weather('a'), weather('b')],
    ],
    [
      'two calls of one function without anything',
      [[call(0, undefined, 'get_weather', oslo)], [call(0, undefined, 'get_weather', oslo)]],
      [weather(generatedId), weather(generatedId)],
    ],
    [
      'two calls whose pieces alternate by ID',
      [
        [call(undefined, 'a', 'get_weather', '{"city":')],
        [call(undefined, 'b', 'get_time', '{"tz":')],
        [call(undefined, 'a', undefined, '"Oslo"}')],
        [call(undefined, 'b', undefined, '"CET"}')],
      ],
      [weather(), time()],
    ],
    [
      'a call that is repeated at the end',
      [[call(0, 'a', 'get_weather', oslo)], [call(0, 'a', 'get_weather', oslo)]],
      [weather()],
    ],
    ['arguments as an object', [[call(0, 'a', 'get_weather', { city: 'Oslo' })]], [weather()]],
    [
      'an empty object before the arguments',
      [[call(0, 'a', 'get_weather', {})], [call(0, undefined, undefined, oslo)]],
      [weather()],
    ],
    ['arguments that are null', [[call(0, 'a', 'ping', null)]], [{ id: 'a', name: 'ping', input: '{}' }]],
    ['empty arguments', [[call(0, 'a', 'ping', '')]], [{ id: 'a', name: 'ping', input: '{}' }]],
    ['no arguments', [[call(0, 'a', 'ping', undefined)]], [{ id: 'a', name: 'ping', input: '{}' }]],
    ['a call as an object instead of a list', [call(0, 'a', 'get_weather', oslo)], [weather()]],
    [
      'a name and arguments next to the ID',
      [[{ index: 0, id: 'a', name: 'get_weather', arguments: oslo }]],
      [weather()],
    ],
    [
      'a function that the request does not have',
      [[call(0, 'a', 'other', '')], [call(0, undefined, undefined, '{}')]],
      [{ id: 'a', name: 'other', input: '{}' }],
    ],
  ])('are assembled: %s', async (_, deltas, expected) => {
    const reply = await seen(stream(...deltas.map((tool_calls) => chunk({ tool_calls })), chunk({}, 'tool_calls')));
    expect(reply).toEqual({ calls: expected, reason: 'tool_calls' });
  });

  test.each<[string, unknown, unknown]>([
    ['arguments as an object', [call(undefined, 'a', 'get_weather', { city: 'Oslo' })], weather()],
    ['arguments that are null', [call(0, 'a', 'ping', null)], { id: 'a', name: 'ping', input: '{}' }],
    ['no ID', [call(0, undefined, 'get_weather', oslo)], weather(generatedId)],
    ['a call as an object', call(0, 'a', 'get_weather', oslo), weather()],
  ])('of a complete reply are normalized: %s', async (_, tool_calls, expected) => {
    const message = { role: 'assistant', content: null, tool_calls };
    const engine = await start((response) =>
      json(response, 200, { choices: [{ message, finish_reason: 'tool_calls' }] }),
    );
    const { choices } = await relayWhole(engine, request());
    const [{ message: relayed }] = choices as [{ message: { tool_calls: ReturnType<typeof call>[] } }];
    const [{ id, type, function: called }] = relayed.tool_calls as unknown as [Record<string, Record<string, string>>];
    expect({ id, type, name: called!['name'], input: called!['arguments'] }).toEqual({
      ...Object(expected),
      type: 'function',
    });
  });

  test('without a name are an unexpected reply', async () => {
    const nameless = stream(chunk({ tool_calls: [call(0, 'a', '', oslo)] }), chunk({}, 'tool_calls'));
    expect(await failure(nameless)).toMatchObject({
      status: 502,
      message: expect.stringContaining('without a name') as string,
    });
  });
});

describe('content', () => {
  const part = (text: string) => ({ type: 'text', text });

  test.each<[string, unknown[], object]>([
    ['a list of parts', [[part('Hel')], [part('l'), part('o')]], { text: 'Hello' }],
    ['one part', [part('Hel'), part('lo')], { text: 'Hello' }],
    ['parts, then text', [[part('Hel')], 'lo'], { text: 'Hello' }],
    ['a list of texts', [['Hel', 'lo']], { text: 'Hello' }],
    ['thinking', [[{ type: 'thinking', thinking: [part('hm')] }], [part('Hello')]], { reasoning: 'hm', text: 'Hello' }],
    ['thinking as text', [[{ type: 'thinking', thinking: 'hm' }, part('Hello')]], { reasoning: 'hm', text: 'Hello' }],
    ['references', [[part('Hel'), { type: 'reference', reference_ids: [1] }], [part('lo')]], { text: 'Hello' }],
    ['a refusal', [[{ type: 'refusal', refusal: 'No.' }]], { refusal: 'No.' }],
    ['an empty list', [[], 'Hello'], { text: 'Hello' }],
  ])('may be %s', async (_, contents, expected) => {
    const reply = await seen(stream(...contents.map((content) => chunk({ content })), stop));
    expect(reply).toEqual({ ...expected, reason: 'stop' });
  });

  test('of a complete reply may be a list of parts', async () => {
    const message = { role: 'assistant', content: [{ type: 'thinking', thinking: [part('hm')] }, part('Hello')] };
    const engine = await start((response) => json(response, 200, { choices: [{ message, finish_reason: 'stop' }] }));
    expect(await relayWhole(engine, request())).toMatchObject({
      choices: [{ message: { content: 'Hello', reasoning_content: 'hm' } }],
    });
  });
});

describe('an error with status 200', () => {
  const quota = { error: { message: 'quota exceeded', type: 'insufficient_quota', code: 429 } };

  test.each<[string, RequestHandler, object]>([
    ['as JSON', (response) => json(response, 200, quota), { status: 429, message: 'quota exceeded' }],
    [
      'as JSON in an event stream',
      (response) => startEventStream(response).end(JSON.stringify(quota)),
      { status: 429 },
    ],
    ['as a list', (response) => json(response, 200, [quota]), { status: 429, message: 'quota exceeded' }],
    ['as details', (response) => json(response, 200, { detail: 'Not Found' }), { status: 502, message: 'Not Found' }],
    [
      'as a message',
      (response) => json(response, 200, { message: 'no credit', code: 402 }),
      { status: 402, message: 'no credit' },
    ],
    ['as the first frame', stream(quota), { status: 429, message: 'quota exceeded' }],
    ['as a frame that is a list', stream([quota]), { status: 429, message: 'quota exceeded' }],
    ['as a later frame', stream(hel, quota), { status: 429, message: 'quota exceeded' }],
    ['without a status', stream({ error: { message: 'used up', code: 'insufficient_quota' } }), { status: 429 }],
    [
      'of type error',
      stream({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      { message: 'Overloaded' },
    ],
    [
      'as an event with JSON',
      (response) => startEventStream(response).end('event: error\ndata: {"message":"lost"}\n\n'),
      { status: 502, message: 'lost' },
    ],
    [
      'as an event with text',
      (response) => startEventStream(response).end('event: error\ndata: lost\n\n'),
      { status: 502, message: 'lost' },
    ],
    [
      'as an event without a message',
      (response) => startEventStream(response).end('event: error\ndata: {}\n\n'),
      { status: 502 },
    ],
  ])('%s is that error', async (_, handler, expected) => {
    expect(await failure(handler)).toMatchObject(expected);
  });

  test('of a quota does not open the circuit, even with the status of a failure', async () => {
    const spent = { error: { message: 'spent', code: 'insufficient_quota' } };
    const handlers: RequestHandler[] = [
      (response) => json(response, 200, quota),
      (response) => json(response, 503, spent),
      stream({ error: { ...spent.error, status: 503 } }),
    ];
    for (const handler of handlers) {
      const engine = await start(handler, { circuitBreaker: { failures: 1 } });
      for (let count = 0; count < 3; count++) {
        const { error } = await drainStream(engine, request({ stream: true }));
        expect(error).not.toMatchObject({ code: 'upstream_unavailable' });
        expect(error).toMatchObject({ message: expect.stringMatching(/quota exceeded|spent/) as string });
      }
    }
  });
});

describe('a complete JSON reply to a request for a stream', () => {
  const completion = {
    ...{ id: 'x', object: 'chat.completion', created: 1, model: 'm', usage },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  };

  test.each<[string, RequestHandler]>([
    ['with its media type', (response) => json(response, 200, completion)],
    ['in an event stream', (response) => startEventStream(response).end(JSON.stringify(completion, null, 1))],
    ['as the only frame', stream(completion)],
    [
      'in lines',
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/x-ndjson' })
          .end(`${hel}\n${lo}\n${chunk({}, 'stop', { usage })}\n`),
    ],
  ])('is streamed: %s', async (_, handler) => {
    expect(await seen(handler)).toEqual({ text: 'Hello', reason: 'stop', usage: [7, 3, 10] });
  });

  test('is streamed with its calls', async () => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'ping', arguments: {} } }];
    const choices = [{ index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'stop' }];
    const reply = await seen((response) => json(response, 200, { ...completion, choices }));
    expect(reply).toMatchObject({ calls: [{ id: 'a', name: 'ping', input: '{}' }], reason: 'tool_calls' });
  });

  test('may be an event stream with the media type of JSON', async () => {
    const reply = await seen((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(frames(hel, lo, stop, '[DONE]')),
    );
    expect(reply).toEqual({ text: 'Hello', reason: 'stop' });
  });
});

test('chunks that are right are passed on as they came', async () => {
  const call = { index: 0, id: 'a', type: 'function', function: { name: 'ping', arguments: '' } };
  const payloads = [
    ` ${chunk({ role: 'assistant', content: '' })}`.trim(),
    chunk({ content: 'Hel' }, null, { vendor: { kept: [1] } }),
    chunk({ content: 'lo' }, null, { vendor: { kept: [1] } }),
    chunk({ content: '"finish_reason":"stop"' }, null, { vendor: { kept: [1] } }),
    chunk({ tool_calls: [call] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
    chunk({}, 'tool_calls'),
    JSON.stringify({ choices: [], usage }),
  ];
  const engine = await start(stream(...payloads));
  const stream_ = await relayStream(engine, request({ stream: true }));
  const received: string[] = [];
  for (let step = await stream_.next(); step.done !== true; step = await stream_.next()) {
    for (const { text, isChanged = false } of step.value) received.push(isChanged ? 'changed' : text);
  }
  expect(received).toEqual(payloads);
});
