import type { TextReply } from '@modelwire/engine-upstream/internal';
import { expect, onTestFinished, test } from 'vitest';
import { discover } from './discovery.ts';
import { json, startRecordingUpstream } from '../testing/recording-upstream.ts';
import { startTestServer } from '../testing/test-server.ts';
import { createUpstreamStatuses } from './upstream-status.ts';

const reply = (body: unknown): TextReply => ({ status: 200, headers: {}, text: JSON.stringify(body) });
const list = (...ids: string[]) =>
  reply({ object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by: 'them' })) });

test('serves the models that upstreams list, shares common ones, and keeps the last list of an upstream that fails', async () => {
  const answers: Record<string, () => TextReply> = {
    'http://a/v1/models': () => list('x', 'y'),
    'http://b/v1/models': () => list('y'),
  };
  const statuses = createUpstreamStatuses([], { info: () => undefined, warn: () => undefined });
  const found = await discover({
    upstreams: [
      { name: 'a', baseURL: 'http://a/v1/' },
      { name: 'b', baseURL: 'http://b/v1' },
    ],
    intervalMs: 20,
    retryMs: 20,
    get: async (url) => answers[url]?.() ?? { status: 500, headers: {}, text: '' },
    statuses,
  });
  onTestFinished(() => found.close?.());
  const ids = () => found.models().map(({ id }) => id);
  expect(ids()).toEqual(['x', 'y']);
  expect(found.ready).toBe(true);
  delete answers['http://a/v1/models'];
  answers['http://b/v1/models'] = () => list('y', 'z');
  await expect.poll(ids).toEqual(['x', 'y', 'z']);
  expect(statuses.problem('a')).toMatchObject({ kind: 'failing', message: 'status 500' });
});

test('a bad entry hides no other model and is reported, and an error with status 200 keeps the known models', async () => {
  let body: unknown = { object: 'list', data: [{ id: 'x' }, { id: null, object: 'model' }, 'y'] };
  const reported: unknown[] = [];
  const statuses = createUpstreamStatuses([], { info: () => undefined, warn: () => undefined });
  const found = await discover({
    upstreams: [{ name: 'a', baseURL: 'http://a/v1', preset: 'vllm' }],
    intervalMs: 20,
    retryMs: 20,
    get: async () => reply(body),
    statuses,
    onSkipped: (upstream, skipped) => reported.push(upstream, ...skipped),
  });
  onTestFinished(() => found.close?.());
  const ids = () => found.models().map(({ id }) => id);
  expect(ids()).toEqual(['x', 'y']);
  expect(reported.slice(0, 2)).toEqual(['a', { entry: 'id: null', cause: 'no ID' }]);
  expect(statuses.problem('a')).toBeUndefined();
  body = { error: { message: 'quota exceeded' } };
  await expect.poll(() => statuses.problem('a')?.message).toBe('an error with status 200');
  expect(ids()).toEqual(['x', 'y']);
  body = ['z'];
  await expect.poll(ids).toEqual(['z']);
  expect(statuses.problem('a')).toBeUndefined();
});

test('serves the models of another Modelwire server configured only by its base URL', async () => {
  const inner = await startTestServer();
  const outer = await startTestServer({
    simulator: false,
    upstreams: [{ baseURL: `${inner.url}/v1`, apiKey: 'test-key-1234567890' }],
  });
  onTestFinished(async () => {
    await outer.stop();
    await inner.stop();
  });
  const ids = (await Array.fromAsync(outer.client.models.list())).map(({ id }) => id);
  // Both servers have the models of other kinds: each is listed once.
  expect(ids.toSorted()).toEqual([
    'omni-moderation-2024-09-26',
    'omni-moderation-latest',
    'simulator',
    'simulator-embedding',
    'storyboard',
  ]);
  const { choices } = await outer.client.chat.completions.create({
    model: 'simulator',
    messages: [{ role: 'user', content: 'Hello!' }],
    temperature: 0,
  });
  expect(choices[0]?.message.content).toMatch(/^Hello/);
});

test('detects the product of an upstream and the inputs of its models, unless the preset is configured', async () => {
  const models = [
    { id: 'seeing', owned_by: 'llamacpp', architecture: { input_modalities: ['text', 'image', 'smell'] } },
    { id: 'blind', owned_by: 'llamacpp', architecture: { input_modalities: ['text'] } },
  ];
  const detected: string[] = [];
  const found = await discover({
    upstreams: [{ name: 'a', baseURL: 'http://a/v1' }],
    intervalMs: 60_000,
    get: async () => reply({ object: 'list', data: models }),
    statuses: createUpstreamStatuses([], { info: () => undefined, warn: () => undefined }),
    onPreset: (upstream, preset) => detected.push(`${upstream}: ${preset}`),
  });
  onTestFinished(() => found.close?.());
  expect(detected).toEqual(['a: llama.cpp']);
  const [textOnly, withImages] = found.models();
  expect(textOnly?.capabilities).toMatchObject({
    inputs: ['text'],
    parameters: { n: 'emulated', verbosity: 'refused' },
  });
  expect(withImages?.capabilities.inputs).toEqual(['text', 'image']);

  const other = await discover({
    upstreams: [{ name: 'a', baseURL: 'http://a/v1', preset: 'vllm' }],
    intervalMs: 60_000,
    get: async () => reply({ object: 'list', data: models }),
    statuses: createUpstreamStatuses([], { info: () => undefined, warn: () => undefined }),
  });
  onTestFinished(() => other.close?.());
  expect(other.models()[0]?.capabilities.parameters.n).toBe('native');
});

test('serves models of an upstream for their purpose, and lists all usable models', async () => {
  const upstream = await startRecordingUpstream(['chat', 'bge-m3', 'bge-reranker', 'omni-moderation-latest', 'tts-1'], {
    '/embeddings': (response) =>
      json(response, 200, { data: [{ index: 0, embedding: [1] }], usage: { total_tokens: 1 } }),
    '/rerank': (response) => json(response, 200, { results: [] }),
  });
  const outer = await startTestServer({ upstreams: [{ baseURL: upstream.baseURL }], moderation: false, videos: false });
  onTestFinished(async () => {
    await outer.stop();
    upstream.close();
  });
  const { client } = outer;
  // Without the simulator, as there is an upstream.
  expect((await Array.fromAsync(client.models.list())).map(({ id }) => id)).toEqual([
    'chat',
    'bge-m3',
    'bge-reranker',
    'tts-1',
  ]);
  expect((await client.models.retrieve('tts-1')).id).toBe('tts-1');
  const messages = [{ role: 'user' as const, content: 'Hello!' }];
  for (const model of ['bge-m3', 'bge-reranker']) {
    const error = { status: 400, code: 'unsupported_value' };
    await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject(error);
  }
  for (const model of ['omni-moderation-latest', 'simulator']) {
    const error = { status: 404, code: 'model_not_found' };
    await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject(error);
  }
  const { data } = await client.embeddings.create({ model: 'bge-m3', input: 'a', encoding_format: 'float' });
  expect(data[0]?.embedding).toEqual([1]);
  expect(await client.post('/rerank', { body: { model: 'bge-reranker' } })).toEqual({ results: [] });
});

test('requests for responses are forwarded to discovered upstreams that serve them', async () => {
  const completed = { type: 'response.completed', response: { status: 'completed', output: [] } };
  const upstream = await startRecordingUpstream(['chat'], {
    '/responses': (response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`event: ${completed.type}\ndata: ${JSON.stringify(completed)}\n\n`),
  });
  const outer = await startTestServer({ upstreams: [{ baseURL: upstream.baseURL, responses: true }] });
  onTestFinished(async () => {
    await outer.stop();
    upstream.close();
  });
  expect(await outer.client.responses.create({ model: 'chat', input: 'Hello' })).toMatchObject({ status: 'completed' });
  expect(upstream.received.map(({ url }) => url)).toEqual(['/v1/responses']);
});
