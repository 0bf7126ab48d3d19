import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatEngine } from '@modelwire/ports';
import { engineRequest, drain, collectEvents, rejection, relayStream, relayWhole } from '../test/engine-request.ts';
import type { EngineRequest } from '../test/engine-request.ts';
import { createUpstream } from './upstream.ts';

// A third-party server of the API.
const mock = new LLMock({ port: 0, chunkSize: 4 });
let engine: ChatEngine;

beforeAll(async () => {
  mock.onMessage('hello', { content: 'Hi there, friend!', reasoning: 'A greeting.' });
  mock.onMessage('weather', { toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }] });
  mock.onMessage('limit', {
    error: { message: 'Too fast', type: 'rate_limit_error', code: 'rate_limited' },
    status: 429,
  });
  mock.onMessage('cut', { content: 'This will be cut off.' }, { truncateAfterChunks: 3, latency: 5 });
  await mock.start();
  engine = createUpstream({
    upstreams: [{ baseURL: `${mock.url}/v1`, apiKey: 'mock' }],
    models: { m: { upstreamModel: 'gpt-4o' } },
    retries: 0,
  });
});

afterAll(async () => {
  await engine.close?.();
  await mock.stop();
});

function requestFor(content: string, requestBody: object = {}): EngineRequest {
  return engineRequest({ messages: [{ role: 'user', content }], ...requestBody });
}

test('relays a reply that is not streamed', async () => {
  expect(await relayWhole(engine, requestFor('hello'))).toMatchObject({
    object: 'chat.completion',
    model: 'gpt-4o',
    choices: [{ message: { content: 'Hi there, friend!', reasoning_content: 'A greeting.' }, finish_reason: 'stop' }],
  });
});

test('relays a streamed reply with usage in the last chunk', async () => {
  const { payloads, error } = await drain(await relayStream(engine, requestFor('hello', { stream: true })));
  expect(error).toBeUndefined();
  const chunks = payloads.map((payload) => JSON.parse(payload) as { choices: { delta: { content?: string } }[] });
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hi there, friend!');
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) as number } });
});

test('converts a streamed reply to events', async () => {
  const events = await collectEvents(engine, requestFor('hello'));
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('Hi there, friend!');
  expect(events.some((event) => event.type === 'extra' && 'reasoning_content' in event.delta)).toBe(true);
  expect(events.filter(({ type }) => type === 'finish')).toEqual([{ type: 'finish', choice: 0, reason: 'stop' }]);
  expect(events.filter(({ type }) => type === 'usage')).toHaveLength(1);
});

test('converts tool calls to events', async () => {
  const events = await collectEvents(engine, requestFor('weather'));
  expect(events.find(({ type }) => type === 'tool_call')).toMatchObject({
    name: 'weather',
    kind: 'function',
    index: 0,
  });
  expect(events.flatMap((event) => (event.type === 'tool_input' ? [event.text] : [])).join('')).toBe('{"city":"Oslo"}');
  expect(events.at(-2)).toEqual({ type: 'finish', choice: 0, reason: 'tool_calls' });
});

test('passes a 429 on', async () => {
  const error = await rejection(relayWhole(engine, requestFor('limit')));
  expect(error).toMatchObject({ status: 429, message: 'Too fast', code: 'rate_limited' });
  expect(error.headers['retry-after']).toBeDefined();
});

test('detects a truncated stream', async () => {
  const { payloads, error } = await drain(await relayStream(engine, requestFor('cut', { stream: true })));
  expect(payloads).not.toEqual([]);
  expect(error).toMatchObject({ status: 502, code: 'upstream_stream_interrupted' });
});
