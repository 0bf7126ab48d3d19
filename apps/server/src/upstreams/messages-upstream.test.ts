// Another Modelwire server as an upstream that speaks the Messages API, with the official SDK as the client.
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let inner: TestServer;
let outer: TestServer;
beforeAll(async () => {
  inner = await startTestServer();
  const upstreams = [{ name: 'theirs', baseURL: `${inner.url}/v1`, dialect: 'messages' as const, apiKey: key }];
  outer = await startTestServer({ upstreams, simulator: false, moderation: false, videos: false });
});
afterAll(async () => {
  await outer.stop();
  await inner.stop();
});

const client = () => new Anthropic({ baseURL: outer.url, apiKey: key, maxRetries: 0 });
const ask = { model: 'simulator', max_tokens: 300, messages: [{ role: 'user' as const, content: 'What is 6 * 7?' }] };

test('serves the models for chat that the upstream lists', async () => {
  expect((await Array.fromAsync(client().models.list())).map(({ id }) => id)).toEqual(['simulator']);
});

test('relays messages, whole and streamed, and counts of tokens', async () => {
  const { data, response } = await client().messages.create(ask).withResponse();
  expect(data.content).toMatchObject([{ type: 'text', text: expect.stringContaining('42') as string }]);
  expect(response.headers.get('x-modelwire-upstream')).toBe('theirs');
  const stream = client().messages.stream({ ...ask, stop_sequences: ['42'] });
  const texts: string[] = [];
  stream.on('text', (text) => texts.push(text));
  expect(await stream.finalMessage()).toMatchObject({
    content: [{ type: 'text', text: texts.join('') }],
    stop_reason: 'stop_sequence',
    stop_sequence: '42',
    usage: { input_tokens: data.usage.input_tokens },
  });
  const { model, messages } = ask;
  const { input_tokens } = await client().messages.countTokens({ model, messages });
  expect(input_tokens).toBe(data.usage.input_tokens);
});

test('runs tools', async () => {
  const weather = betaZodTool({
    name: 'get_weather',
    description: 'Returns the current weather in a city.',
    inputSchema: z.object({ city: z.string() }),
    run: ({ city }) => `sun in ${city}`,
  });
  const content = 'Call the tool get_weather with city "Paris"';
  const message = await client()
    .beta.messages.toolRunner({ ...ask, messages: [{ role: 'user', content }], tools: [weather], stream: true })
    .runUntilDone();
  expect(message.content).toMatchObject([{ type: 'text', text: expect.stringContaining('sun in Paris') as string }]);
});

test('runs batches, and stores a message', async () => {
  const { batches } = client().messages;
  const { id } = await batches.create({ requests: [{ custom_id: 'first', params: ask }] });
  const ended = async () => (await batches.retrieve(id)).processing_status;
  await expect.poll(ended, { timeout: 60_000, interval: 100 }).toBe('ended');
  const results = await Array.fromAsync(await batches.results(id));
  expect(results).toMatchObject([{ result: { type: 'succeeded', message: { usage: { service_tier: 'batch' } } } }]);
  const message = await client().messages.create(ask, { headers: { 'x-modelwire-store': 'true' } });
  const stored = await outer.client.chat.completions.retrieve(message.id.replace('msg_', 'chatcmpl-'));
  expect(stored.choices[0]?.message.content).toContain('42');
});

test('a request for a chat is refused with the path that serves the model', async () => {
  const refused = outer.client.chat.completions.create({ model: 'simulator', messages: ask.messages });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('/v1/messages') as string,
  });
});

test('a wrong key of the upstream is an error of this server', async () => {
  const upstreams = [{ baseURL: `${inner.url}/v1`, dialect: 'messages' as const, apiKey: 'wrong-key-1234567' }];
  const models = { simulator: {} };
  const wrong = await startTestServer({ upstreams, models, simulator: false, moderation: false, videos: false });
  const refused = new Anthropic({ baseURL: wrong.url, apiKey: key, maxRetries: 0 }).messages.create(ask);
  await expect(refused).rejects.toMatchObject({ status: 502 });
  await wrong.stop();
});
