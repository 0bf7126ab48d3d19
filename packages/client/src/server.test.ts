import { collect } from '@modelwire/core/testing';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { apiKey, startTestServer } from '../test/test-server.ts';
import type { TestServer } from '../test/test-server.ts';
import { program } from '../test/migration.ts';
import { BadRequestError, Modelwire, tool } from './index.ts';
import type { ModelwireOptions } from './index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const clientOf = (options: ModelwireOptions = {}): Modelwire =>
  new Modelwire({ baseURL: server.baseURL, apiKey, maxRetries: 0, ...options });
const chatParams = {
  model: 'simulator',
  temperature: 0,
  messages: [{ role: 'user', content: 'Three nights in Rome.' }],
} as const;

describe('with a running server', () => {
  test('every response and every chunk is valid', async () => {
    const options = { baseURL: server.baseURL, apiKey, validate: 'throw' } as const;
    expect((await program(options)).length).toBeGreaterThan(25);
  });

  test('replies are parsed by schemas, with and without streaming', async () => {
    const schema = z.object({ city: z.string(), nights: z.int() });
    const { completions } = clientOf().chat;
    const params = { ...chatParams, response_format: { name: 'stay', schema } };
    const { outcome } = await completions.parse(params);
    if (outcome.type !== 'parsed') throw new Error(outcome.type);
    expectTypeOf(outcome.parsed).toEqualTypeOf<{ city: string; nights: number }>();
    expect(schema.parse(outcome.parsed)).toEqual(outcome.parsed);
    const streamed = await completions.streamParsed(params).final();
    expect(streamed.outcome).toMatchObject({ type: 'parsed', parsed: outcome.parsed });
  });

  test('tools run until the model replies', async () => {
    const weather = tool({
      name: 'get_weather',
      description: 'Tells the weather',
      parameters: z.object({ location: z.string() }),
      run: ({ location }) => `Sunny in ${location}`,
    });
    const run = clientOf().chat.completions.runTools({ ...chatParams, tools: [weather], tool_choice: 'required' });
    const { endReason, messages } = await run.final();
    expect(endReason).toBe('completed');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  test('responses, conversations, embeddings and legacy completions are valid', async () => {
    const { responses, conversations, embeddings, completions } = clientOf({ validate: 'throw' });
    const { id: conversation } = await conversations.create();
    const created = await responses.create({ model: 'simulator', input: 'Hello', conversation });
    const stream = responses.stream({ model: 'simulator', input: 'And now?', conversation });
    const pieces = await collect(stream.text());
    expect((await stream.final()).output_text).toBe(pieces.join(''));
    expect(await responses.retrieve(created.id)).toEqual(created);
    expect(await collect(conversations.items.list(conversation))).toHaveLength(4);
    const { data } = await embeddings.create({
      model: 'simulator-embedding',
      input: 'A river',
      encoding_format: 'base64',
    });
    expect(data[0]?.embedding[0]).toBeTypeOf('number');
    const { choices } = await completions.create({ model: 'simulator', prompt: 'A river' });
    expect(choices).toHaveLength(1);
  });

  test('a list has the response of its first page', async () => {
    const { data, requestId, response } = await clientOf().models.list().withResponse();
    expect(data.data.map(({ id }) => id)).toContain('simulator');
    expect(response.status).toBe(200);
    expect(requestId).toMatch(/^req_/);
  });

  test('a stream is accumulated, and has its request ID', async () => {
    const stream = clientOf().chat.completions.stream(chatParams);
    const { requestId } = await stream.withResponse();
    const pieces = await collect(stream.text());
    expect((await stream.final()).choices[0]?.message.content).toBe(pieces.join(''));
    expect(requestId).toMatch(/^req_/);
  });

  test('a file is uploaded in parts, and a batch runs', async () => {
    const { uploads, files, batches } = clientOf();
    const bytes = new Uint8Array(300_000).fill(7);
    const { file } = await uploads.uploadFile({
      file: new File([bytes], 'a.bin'),
      purpose: 'user_data',
      partSize: 100_000,
    });
    expect((await (await files.content(file?.id ?? '')).arrayBuffer()).byteLength).toBe(300_000);

    const requests = ['one', 'two'].map((custom_id) => ({
      custom_id,
      body: { ...chatParams, messages: [...chatParams.messages] },
    }));
    const endpoint = '/v1/chat/completions';
    const ids: string[] = [];
    const results = await collect(
      batches.run({ endpoint, requests, pollMs: 20, maxPollMs: 50, onUpdate: ({ id }) => void ids.push(id) }),
    );
    expect(results.map(({ custom_id, ok }) => [custom_id, ok])).toEqual([
      ['one', true],
      ['two', true],
    ]);
    const done = await batches.wait(ids[0] ?? '');
    expect(await collect(batches.results<typeof endpoint>(done))).toEqual(results);
  });

  test('wait() resolves with the video, and capabilities() with those of the model', async () => {
    const { videos, models } = clientOf({ validate: 'throw' });
    const { id } = await videos.create({ model: 'titles', prompt: 'a boat' });
    expect(await videos.wait(id, { pollMs: 20, maxPollMs: 50 })).toMatchObject({ status: 'completed', progress: 100 });
    const { model, parameters } = await models.capabilities('simulator');
    expect([model, parameters['seed']]).toEqual(['simulator', 'native']);
  });

  test('createMany() moderates inputs in order', async () => {
    const inputs = ['a calm day', 'I will kill myself'];
    const moderated = await collect(clientOf().moderations.createMany(inputs));
    expect(moderated.map(({ input, result }) => [input, result.flagged])).toEqual([
      ['a calm day', false],
      ['I will kill myself', true],
    ]);
  });

  test('middleware wraps each request, and error responses are typed errors that name the parameter', async () => {
    const seen: string[] = [];
    const client = clientOf({
      middleware: [
        async (request, next) => {
          const response = await next(request);
          seen.push(`${request.method} ${response.status}`);
          return response;
        },
      ],
    });
    const wrong = client.chat.completions.create({ ...chatParams, temperature: 3 });
    await expect(wrong).rejects.toBeInstanceOf(BadRequestError);
    await expect(wrong).rejects.toMatchObject({ param: 'temperature' });
    expect(seen).toEqual(['POST 400']);
  });
});
