import { LLMock } from '@copilotkit/aimock';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const mock = new LLMock({ port: 0, chunkSize: 4 });
let server: TestServer;
const ask = { model: 'house', messages: [{ role: 'user' as const, content: 'hello' }] };

beforeAll(async () => {
  mock.onMessage('hello', { content: 'Hi there, this is another make of server!' });
  mock.onMessage('weather', { toolCalls: [{ name: 'look', arguments: '{"at":"sea"}' }] });
  await mock.start();
  server = await startTestServer({
    simulator: false,
    upstreams: [{ baseURL: `${mock.url}/v1`, apiKey: 'their-key' }],
    models: { house: { upstreamModel: 'gpt-4o' } },
  });
});
afterAll(async () => {
  await server.stop();
  await mock.stop();
});

test('relays the reply of a third-party server with our ID and model', async () => {
  const completion = await server.client.chat.completions.create(ask);
  expect(completion.choices[0]?.message.content).toBe('Hi there, this is another make of server!');
  expect(completion.model).toBe('house');
  expect(completion.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
  expect(completion._request_id).toMatch(/^req_/);
  expect(completion.usage?.total_tokens).toBeGreaterThan(0);
});

test('relays its streams with the role first, padding, and usage if requested', async () => {
  const stream = await server.client.chat.completions.create({
    ...ask,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await Array.fromAsync(stream);
  expect(chunks.length).toBeGreaterThan(5);
  expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
    'Hi there, this is another make of server!',
  );
  expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
  expect(chunks[1]).toHaveProperty('obfuscation');
});

test('relays its tool calls, complete and streamed', async () => {
  const tools = [
    { type: 'function' as const, function: { name: 'look', parameters: { type: 'object', properties: {} } } },
  ];
  const about = { ...ask, tools, messages: [{ role: 'user' as const, content: 'weather' }] };
  const whole = await server.client.chat.completions.create(about);
  const streamed = await server.client.chat.completions.stream(about).finalChatCompletion();
  for (const { choices } of [whole, streamed]) {
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'look', arguments: '{"at":"sea"}' },
    });
  }
});

test('relays its errors with our request ID', async () => {
  const error = await server.client.chat.completions
    .create({ ...ask, messages: [{ role: 'user', content: 'nothing is prepared for this' }] })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenAI.APIError);
  expect((error as InstanceType<typeof OpenAI.APIError>).requestID).toMatch(/^req_/);
});
