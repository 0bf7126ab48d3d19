// Another Modelwire server as an upstream that speaks the Messages API, with the official SDK as the client.
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { startRecordingUpstream, json } from '../testing/recording-upstream.ts';
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

test('the models are for messages only', async () => {
  const { data } = await outer.client.models.list();
  expect(data).toMatchObject([{ id: 'simulator', kinds: ['chat'], dialect: 'messages' }]);
  const refused = outer.client.embeddings.create({ model: 'simulator', input: 'Hello' });
  await expect(refused).rejects.toMatchObject({ status: 400 });
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

test.each([false, true])(
  'blocks of an unknown type can be sent back as the SDK returned them, streamed %s',
  async (stream) => {
    const hologram = { type: 'hologram', id: 'holo_1', nothing: null, deep: [{ angle: 1.5 }] };
    const usage = { input_tokens: 5, output_tokens: 3 };
    const head = { id: 'msg_theirs', type: 'message', role: 'assistant', model: 'newest', content: [], usage };
    const ended = { stop_reason: 'end_turn', stop_sequence: null };
    const events = [
      { type: 'message_start', message: { ...head, stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: hologram },
      { type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta', pixels: [1, null] } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Look' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'font_delta', font: 'serif' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: ended, usage },
      { type: 'message_stop' },
    ];
    const upstream = await startRecordingUpstream(['newest'], {
      '/messages'(response) {
        if (!stream) json(response, 200, { ...head, ...ended, content: [hologram, { type: 'text', text: 'Look' }] });
        else {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
        }
      },
    });
    const upstreams = [{ baseURL: upstream.baseURL, dialect: 'messages' as const }];
    const relay = await startTestServer({
      upstreams,
      models: { newest: {} },
      simulator: false,
      moderation: false,
      videos: false,
    });
    const { messages } = new Anthropic({ baseURL: relay.url, apiKey: key, maxRetries: 0 });
    const received: unknown[] = [];
    const send = (conversation: Anthropic.MessageParam[]): PromiseLike<Anthropic.Message> => {
      const params = { ...ask, model: 'newest', messages: conversation };
      if (!stream) return messages.create(params);
      return messages
        .stream(params)
        .on('streamEvent', (event) => received.push(event))
        .finalMessage();
    };
    const { content } = await send(ask.messages);
    expect(content).toEqual([hologram, { type: 'text', text: 'Look' }]);
    for (const event of stream ? events.slice(1, -2) : []) expect(received).toContainEqual(event);
    const conversation = [...ask.messages, { role: 'assistant' as const, content }, ...ask.messages];
    await send(conversation);
    const { body } = upstream.received.at(-1) ?? {};
    expect(JSON.parse(String(body))).toMatchObject({ messages: conversation });
    const refused = new Anthropic({ baseURL: inner.url, apiKey: key }).messages.create({
      ...ask,
      messages: conversation,
    });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/'messages\[1\]\.content\[0\]\.type' is 'hologram'.*'tool_use'/) as string,
    });
    await relay.stop();
    upstream.close();
  },
);
