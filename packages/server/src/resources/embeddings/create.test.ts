import type { EmbeddingEngine, EmbeddingModel, EmbeddingReply, EmbeddingRequest } from '@modelwire/ports';
import { invalid } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { memoryRateLimiter } from '../../limits/memory-rate-limiter.ts';
import type { RequestLogEntry } from '../../request-log.ts';
import { listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

type Embed = (request: EmbeddingRequest) => EmbeddingReply | Promise<EmbeddingReply>;

/** The length of each input and its position, in a vector of four numbers. */
const lengths: Embed = ({ inputs }) => ({
  embeddings: inputs.map((input, index) => [input.length, index, 0.5, -2]),
  promptTokens: inputs.reduce((sum, { length }) => sum + length, 0),
});

async function serving(embed: Embed = lengths, model: Partial<EmbeddingModel> = {}, options: object = {}) {
  const asked: EmbeddingRequest[] = [];
  const logged: RequestLogEntry[] = [];
  const engine: EmbeddingEngine = {
    name: 'lengths',
    models: () => [{ id: 'lengths', created: 1, owned_by: 'tests', ...model }],
    embed: (request) => {
      asked.push(request);
      return Promise.resolve(embed(request));
    },
  };
  const { client, postTo } = await listen({
    engines: [scriptedEngine(() => says('Hi'))],
    embeddingEngines: [engine],
    log: (entry) => logged.push(entry),
    ...options,
  });
  const post = (body: unknown) => postTo('/embeddings', body);
  return { client, post, asked, logged };
}

test('the official SDK, which requests base64, gets the numbers', async () => {
  const { client, asked, logged } = await serving();
  const reply = await client.embeddings.create({ model: 'lengths', input: ['one', 'three'], user: 'ann' });
  expect(reply).toMatchObject({ object: 'list', model: 'lengths', usage: { prompt_tokens: 8, total_tokens: 8 } });
  expect(reply.data).toEqual([
    { object: 'embedding', index: 0, embedding: [3, 0, 0.5, -2] },
    { object: 'embedding', index: 1, embedding: [5, 1, 0.5, -2] },
  ]);
  expect(asked).toEqual([
    { model: 'lengths', inputs: ['one', 'three'], dimensions: undefined, encoding_format: 'base64', user: 'ann' },
  ]);
  expect(logged[0]).toMatchObject({ model: 'lengths', safetyIdentifier: 'ann', usage: { prompt_tokens: 8 } });
});

test('base64 is little-endian 32-bit floats; without encoding_format the embedding is numbers', async () => {
  const { post } = await serving(() => ({ embeddings: [Float32Array.of(1, -0.5)], promptTokens: 1 }));
  expect(await post({ model: 'lengths', input: 'a', encoding_format: 'base64' })).toMatchObject({
    data: [{ embedding: 'AACAPwAAAL8=' }],
  });
  expect(await post({ model: 'lengths', input: 'a' })).toEqual({
    status: 200,
    object: 'list',
    model: 'lengths',
    usage: { prompt_tokens: 1, total_tokens: 1 },
    data: [{ object: 'embedding', index: 0, embedding: [1, -0.5] }],
  });
});

test.each([
  ['a text', 'ab', ['ab']],
  ['texts', ['ab', 'c'], ['ab', 'c']],
  ['token ids', [1, 2, 3], [[1, 2, 3]]],
  ['arrays of token ids', [[1, 2], [3]], [[1, 2], [3]]],
])('%s are passed to the engine', async (_, input, inputs) => {
  const { post, asked } = await serving();
  expect(await post({ model: 'lengths', input })).toMatchObject({ status: 200 });
  expect(asked[0]?.inputs).toEqual(inputs);
});

test('a reply of an engine without usage has an estimate, which the log says', async () => {
  const { post, logged } = await serving(() => ({ embeddings: [[1]], promptTokens: undefined }));
  expect(await post({ model: 'lengths', input: 'abcdef' })).toMatchObject({
    usage: { prompt_tokens: 2, total_tokens: 2 },
  });
  expect(logged[0]).toMatchObject({ usageIsEstimated: true, usage: { prompt_tokens: 2 } });
});

test('dimensions go to an engine that supports them', async () => {
  const { post, asked } = await serving(({ dimensions = 4 }) => ({
    embeddings: [Array.from({ length: dimensions }, () => 1)],
    promptTokens: 1,
  }));
  expect(await post({ model: 'lengths', input: 'a', dimensions: 2 })).toMatchObject({ data: [{ embedding: [1, 1] }] });
  expect(asked[0]?.dimensions).toBe(2);
});

test('vectors are truncated and normalized if the server emulates dimensions', async () => {
  const { post, asked } = await serving(() => ({ embeddings: [[3, 4, 12]], promptTokens: 1 }), {
    dimensions: 'emulated',
    size: 3,
  });
  const { data } = (await post({ model: 'lengths', input: 'a', dimensions: 2 })) as never as {
    readonly data: readonly { readonly embedding: readonly number[] }[];
  };
  expect(data[0]?.embedding[0]).toBeCloseTo(0.6);
  expect(data[0]?.embedding[1]).toBeCloseTo(0.8);
  expect(asked[0]?.dimensions).toBeUndefined();
  expect(await post({ model: 'lengths', input: 'a', dimensions: 3 })).toMatchObject({
    data: [{ embedding: [3, 4, 12] }],
  });
});

test.each<[string, Partial<EmbeddingModel>, object, object]>([
  ['dimensions of a model without', { dimensions: 'refused' }, { dimensions: 2 }, { param: 'dimensions', code: 'unsupported_parameter' }], // prettier-ignore
  ['more dimensions than the model has', { dimensions: 'emulated', size: 4 }, { dimensions: 5 }, { param: 'dimensions', code: 'unsupported_value' }], // prettier-ignore
  ['dimensions that the engine ignores', {}, { dimensions: 3 }, { param: 'dimensions', code: 'unsupported_parameter' }],
  ['token ids of another vocabulary', { tokens: 'refused' }, { input: [1, 2] }, { param: 'input', code: 'unsupported_value' }], // prettier-ignore
  ['an unknown field', {}, { task: 'query' }, { param: 'task', code: 'unknown_parameter' }],
  ['a chat model', {}, { model: 'scripted' }, { param: 'model', code: 'unsupported_value' }],
  ['an empty text in a list', {}, { input: ['a', ''] }, { param: 'input[1]', code: 'empty_string' }],
  ['too many texts', {}, { input: Array.from({ length: 2049 }, () => 'a') }, { param: 'input', code: 'array_above_max_length' }], // prettier-ignore
  ['lists in lists in lists', {}, { input: [[[1]]] }, { param: 'input[0][0]', code: 'invalid_type' }],
])('%s is a 400 that names it', async (_, model, body, error) => {
  const { post } = await serving(lengths, model);
  expect(await post({ model: 'lengths', input: 'a', ...body })).toMatchObject({ status: 400, error });
});

test('an unknown model is a 404', async () => {
  const { post } = await serving();
  expect(await post({ model: 'none', input: 'a' })).toMatchObject({ status: 404, error: { code: 'model_not_found' } });
});

test.each<[string, Embed]>([
  ['too few embeddings', () => ({ embeddings: [], promptTokens: 1 })],
  ['empty embeddings', () => ({ embeddings: [[]], promptTokens: 1 })],
  ['numbers that JSON does not have', () => ({ embeddings: [[Number.NaN]], promptTokens: 1 })],
])('an engine that returns %s fails the request', async (_, embed) => {
  const { post } = await serving(embed);
  expect(await post({ model: 'lengths', input: 'a' })).toMatchObject({
    status: 500,
    error: { code: 'internal_error' },
  });
});

test('errors of the engine reach the client', async () => {
  const { post } = await serving(() => {
    throw invalid('input[0]', 'Too long.', 'context_length_exceeded');
  });
  expect(await post({ model: 'lengths', input: ['a'] })).toMatchObject({
    status: 400,
    error: { param: 'input[0]', code: 'context_length_exceeded' },
  });
});

test('unknown fields of a lenient server reach the engine', async () => {
  const seen: unknown[] = [];
  const engine: EmbeddingEngine = {
    name: 'extra',
    models: () => [{ id: 'extra', created: 1, owned_by: 'tests' }],
    embed: (_, { extra }) => {
      seen.push(extra);
      return Promise.resolve({ embeddings: [[1]], promptTokens: 1 });
    },
  };
  const { client } = await listen({ engines: [], embeddingEngines: [engine], unknownFields: 'keep' });
  await client.embeddings.create({ model: 'extra', input: 'a', input_type: 'query' } as never);
  expect(seen).toEqual([{ input_type: 'query' }]);
});

test('tokens count against the limits of the key', async () => {
  const { client, post } = await serving(lengths, {}, { rateLimiter: memoryRateLimiter({ tokensPerMinute: 100 }) });
  const { response } = await client.embeddings.create({ model: 'lengths', input: 'a'.repeat(60) }).withResponse();
  expect(response.headers.get('x-ratelimit-limit-tokens')).toBe('100');
  expect(await post({ model: 'lengths', input: 'a'.repeat(150) })).toMatchObject({
    status: 429,
    error: { type: 'tokens', code: 'rate_limit_exceeded' },
  });
  expect(await post({ model: 'lengths', input: 'a'.repeat(400) })).toMatchObject({
    error: { message: expect.stringContaining('Send fewer inputs') as unknown },
  });
});

test('the model is listed, and aliases of it work', async () => {
  const { client, asked } = await serving(lengths, {}, { modelAliases: { 'text-embedding-3-small': 'lengths' } });
  expect((await client.models.list()).data.map(({ id }) => id)).toContain('lengths');
  expect((await client.models.retrieve('lengths')).owned_by).toBe('tests');
  const reply = await client.embeddings.create({ model: 'text-embedding-3-small', input: 'abc' });
  expect(reply.model).toBe('text-embedding-3-small');
  expect(asked[0]?.model).toBe('lengths');
});

test('2,048 embeddings of 1,536 numbers do not block other requests', async () => {
  const vector = Float32Array.from({ length: 1536 }, (_, at) => Math.sin(at));
  const { client, post } = await serving(({ inputs }) => ({
    embeddings: inputs.map(() => vector),
    promptTokens: inputs.length,
  }));
  const large = client.embeddings.create({ model: 'lengths', input: Array.from({ length: 2048 }, () => 'a') });
  await expect(post({ model: 'none', input: 'a' })).resolves.toMatchObject({ status: 404 });
  const { data } = await large;
  expect(data).toHaveLength(2048);
  expect(data[2047]?.embedding[1]).toBeCloseTo(Math.sin(1), 6);
});

test('tokens that an engine reports are limited to what the inputs can have', async () => {
  const { post, logged } = await serving(() => ({ embeddings: [[1]], promptTokens: 2 ** 53 - 1 }));
  expect(await post({ model: 'lengths', input: 'abc' })).toMatchObject({ usage: { prompt_tokens: 265 } });
  expect(await post({ model: 'lengths', input: [1, 2, 3] })).toMatchObject({ usage: { prompt_tokens: 259 } });
  expect(logged.map(({ usage }) => usage?.total_tokens)).toEqual([265, 259]);
});

test.each<[string, (signal: AbortSignal) => Promise<EmbeddingReply>, object]>([
  [
    'that the engine completes',
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ embeddings: [[1]], promptTokens: 5 }));
      }),
    { usage: { prompt_tokens: 5 } },
  ],
  [
    'that the engine aborts',
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    { usage: { prompt_tokens: 2 }, usageIsEstimated: true },
  ],
])('a request %s after its client has left is charged', async (_, embed, expected) => {
  const reached = Promise.withResolvers<undefined>();
  const logged: RequestLogEntry[] = [];
  const engine: EmbeddingEngine = {
    name: 'slow',
    models: () => [{ id: 'slow', created: 1, owned_by: 'tests' }],
    embed: (_request, { signal }) => {
      reached.resolve(undefined);
      return embed(signal);
    },
  };
  const { client } = await listen({
    engines: [scriptedEngine(() => says('Hi'))],
    embeddingEngines: [engine],
    log: (entry) => logged.push(entry),
  });
  const controller = new AbortController();
  const request = client.embeddings
    .create({ model: 'slow', input: 'abcdef' }, { signal: controller.signal })
    .catch(() => undefined);
  await reached.promise;
  controller.abort();
  await request;
  await expect.poll(() => logged[0]).toMatchObject(expected);
});
