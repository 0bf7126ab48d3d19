// A fake server that speaks the Messages API as its public documentation says.
import type { NativeMessageEvent } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { engineRequest, rejection } from '../test/engine-request.ts';
import { json, startEventStream } from '../test/fake-server.ts';
import type { RequestHandler } from '../test/fake-server.ts';
import { startUpstream } from '../test/start-upstream.ts';
import { createUpstream } from './index.ts';
import type { UpstreamEngine, UpstreamServer } from './index.ts';

const usage = { input_tokens: 5, output_tokens: 1, cache_creation: { ephemeral_5m_input_tokens: 0 } };
const message = {
  id: 'msg_theirs',
  type: 'message',
  role: 'assistant',
  model: 'there',
  content: [{ type: 'text', text: 'Hi', citations: null }],
  stop_reason: 'end_turn',
  usage,
  from_the_future: { kept: true },
};

const start = { type: 'message_start', message: { ...message, content: [], stop_reason: null } };
const textStart = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } };
const unknown = { type: 'content_block_start', index: 1, content_block: { type: 'hologram', bytes: [1] } };
const end = { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage };
const stop = { type: 'message_stop' };
const events = [start, textStart, text, unknown, end, stop];

const frames = (...list: readonly { readonly type: string }[]): string =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const streams =
  (body: string): RequestHandler =>
  (response) =>
    startEventStream(response).end(body);
const error = (type: string) => ({ type: 'error', error: { type, message: 'Overloaded' }, request_id: 'req_theirs' });

function serve(handler: RequestHandler, server: Partial<UpstreamServer> = {}) {
  const models = { m: { upstreamModel: 'there' } };
  return startUpstream(handler, { dialect: 'messages', apiKey: 'sk-ant', ...server }, { models, retries: 1 });
}

const ask = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };

async function received(
  engine: UpstreamEngine,
  body: Readonly<Record<string, unknown>> = { ...ask, stream: true },
  signal?: AbortSignal,
): Promise<{ events: NativeMessageEvent[]; error?: unknown }> {
  const list: NativeMessageEvent[] = [];
  try {
    const { context } = engineRequest({}, signal);
    for await (const batch of engine.createMessage({ body, betas: 'tools-1,files-2' }, context)) list.push(...batch);
    return { events: list };
  } catch (thrown) {
    return { events: list, error: thrown };
  }
}

test('sends the body as it is with the name of the model there, the key and the features that the client asks for', async () => {
  const { fake, engine } = await serve((response) => json(response, 200, message));
  const body = { ...ask, custom: { deep: [1] } };
  expect((await received(engine, body)).events).toEqual([message]);
  const [request] = fake.requests;
  expect(request?.path).toBe('/v1/messages');
  expect(request?.body).toEqual({ ...body, model: 'there' });
  expect(request?.headers).toMatchObject({
    'x-api-key': 'sk-ant',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'tools-1,files-2',
    'x-request-id': 'req_1',
    accept: 'application/json',
  });
  expect(request?.headers.authorization).toBeUndefined();
});

test('configured headers replace those of the client', async () => {
  const headers = { 'anthropic-beta': 'own', 'anthropic-version': '2024-01-01' };
  const { fake, engine } = await serve((response) => json(response, 200, message), { headers });
  await received(engine, ask);
  expect(fake.requests[0]?.headers).toMatchObject(headers);
});

test('passes the events of a stream on, with unknown fields and blocks, without pings', async () => {
  const ping = frames({ type: 'ping' });
  const { engine } = await serve(streams(ping + frames(start) + ping + ': comment\n\n' + frames(...events.slice(1))));
  expect(await received(engine)).toEqual({ events });
});

test('a stream without its last event is complete if it says why it stopped, and incomplete otherwise', async () => {
  const { engine } = await serve(streams(frames(...events.slice(0, -1))));
  expect(await received(engine)).toEqual({ events: events.slice(0, -1) });
  const cutStreams = [start, textStart, text];
  for (const body of [frames(...cutStreams), frames(...cutStreams, stop), `${frames(...cutStreams)}data: [DONE]\n\n`]) {
    const cut = await serve(streams(body));
    const outcome = await received(cut.engine);
    expect(outcome.events).toEqual([start, textStart, text]);
    expect(outcome.error).toMatchObject({ status: 502, code: 'upstream_incomplete' });
  }
});

test('does not wait for the end of the connection after the last event', async () => {
  const { engine } = await serve((response) => startEventStream(response).write(frames(...events)));
  expect(await received(engine)).toEqual({ events });
});

test('an error event after output ends the stream; before it, the request is tried again', async () => {
  const late = await serve(streams(frames(start, textStart, text, error('overloaded_error'))));
  const outcome = await received(late.engine);
  expect(outcome.events).toEqual([start, textStart, text]);
  expect(outcome.error).toMatchObject({ status: 503, message: 'Overloaded' });
  const early = await serve(streams(frames(start, error('rate_limit_error'))));
  expect(await received(early.engine)).toMatchObject({ events: [], error: { status: 429 } });
});

test('an overloaded server is a 503', async () => {
  const { engine } = await serve((response) => json(response, 529, error('overloaded_error')));
  expect(await received(engine, ask)).toMatchObject({ events: [], error: { status: 503, message: 'Overloaded' } });
});

test.each([
  ['a whole reply to a request for events', { ...ask, stream: true }, message],
  ['events without a type', { ...ask, stream: true }, { index: 0 }],
  ['an event with lines in its type', { ...ask, stream: true }, { type: 'a\n\ndata: b' }],
  ['another object than a message', ask, { type: 'completion' }],
  ['a message that does not say why it stopped', ask, { ...message, stop_reason: null }],
])('%s is a 502', async (_, body, reply) => {
  const { engine } = await serve((response) => json(response, 200, reply));
  expect(await received(engine, body)).toMatchObject({ events: [], error: { status: 502, code: 'upstream_error' } });
});

test('errors do not contain the key', async () => {
  const body = { type: 'error', error: { type: 'invalid_request_error', message: 'sk-ant may not' } };
  const { engine } = await serve((response) => json(response, 400, body));
  expect(await received(engine, ask)).toMatchObject({ error: { status: 400, message: '[redacted] may not' } });
});

test('an abort closes the connection', async () => {
  const controller = new AbortController();
  const { fake, engine } = await serve((response) => {
    startEventStream(response).write(frames(start, textStart, text));
  });
  const { context } = engineRequest({}, controller.signal);
  const reply = engine.createMessage({ body: { ...ask, stream: true }, betas: null }, context);
  const batches = reply[Symbol.asyncIterator]();
  await batches.next();
  controller.abort(new Error('the client disconnected'));
  await expect(batches.next()).rejects.toThrow('the client disconnected');
  await expect.poll(() => fake.requests[0]?.isAborted).toBe(true);
});

test('counts tokens', async () => {
  const { fake, engine } = await serve((response) => json(response, 200, { input_tokens: 12 }));
  const { context } = engineRequest();
  expect(await engine.countMessageTokens({ body: ask, betas: null }, context)).toBe(12);
  expect(fake.requests[0]).toMatchObject({ path: '/v1/messages/count_tokens', body: { model: 'there' } });
  const malformed = await serve((response) => json(response, 200, { input_tokens: 'many' }));
  const refused = malformed.engine.countMessageTokens({ body: ask, betas: null }, context);
  expect(await rejection(refused)).toMatchObject({ status: 502 });
});

test('options that only concern chat requests, and models with several dialects, are refused', () => {
  const baseURL = 'http://127.0.0.1:1/v1';
  const create = (...upstreams: UpstreamServer[]) => createUpstream({ upstreams, models: { m: {} } });
  expect(() => create({ baseURL, dialect: 'messages', preset: 'vllm' })).toThrow(
    "upstreams[0].preset does not apply with dialect: 'messages'",
  );
  expect(() => create({ baseURL, dialect: 'other' as 'messages' })).toThrow('upstreams[0].dialect');
  expect(() => create({ baseURL }, { baseURL, dialect: 'messages' })).toThrow(
    "models['m'].upstreams must not have several dialects",
  );
});
