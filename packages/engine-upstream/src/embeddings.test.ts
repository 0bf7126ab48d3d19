import type { ServerOptions } from '@modelwire/server';
import type { EmbeddingInput } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { json } from '../test/fake-server.ts';
import type { RequestHandler } from '../test/fake-server.ts';
import { serveUpstream } from '../test/start-upstream.ts';

const item = (index: number, embedding: unknown) => ({ object: 'embedding', index, embedding });
const list = (data: readonly unknown[], usage: unknown = { prompt_tokens: 3, total_tokens: 3 }) => ({
  object: 'list',
  data,
  model: 'there',
  usage,
});

const upstream = async (handler: RequestHandler, options: Partial<ServerOptions> = {}) => {
  const { fake, post } = await serveUpstream(handler, '/v1/embeddings', {
    upstream: { apiKey: 'secret-of-ours' },
    ...options,
  });
  return { fake, post: (body: object) => post({ input: 'a', ...body }) };
};

test.each<[string, EmbeddingInput | readonly EmbeddingInput[], number]>([
  ['a text', 'a', 1],
  ['texts', ['a', 'b'], 2],
  ['token ids', [1, 2], 1],
  ['arrays of token ids', [[1], [2, 3]], 2],
])('forwards %s with the name of the model at the upstream', async (_, input, count) => {
  const { fake, post } = await upstream((response) =>
    json(response, 200, list(Array.from({ length: count }, (__, index) => item(index, [0.1, index])))),
  );
  expect(await post({ input, dimensions: 2, user: 'ann' })).toMatchObject({
    status: 200,
    model: 'ours',
    data: Array.from({ length: count }, (__, index) => item(index, [0.1, index])),
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });
  expect(fake.requests[0]?.path).toBe('/v1/embeddings');
  expect(fake.requests[0]?.headers.authorization).toBe('Bearer secret-of-ours');
  expect(fake.requests[0]?.body).toEqual({ model: 'there', input, dimensions: 2, user: 'ann' });
});

test('forwards base64, and converts the numbers of an upstream that ignores it', async () => {
  const { fake, post } = await upstream((response, { body }, count) =>
    json(
      response,
      200,
      list([item(0, body['encoding_format'] === 'base64' && count === 1 ? 'AACAPwAAAL8=' : [1, -0.5])]),
    ),
  );
  expect(await post({ encoding_format: 'base64' })).toMatchObject({ data: [item(0, 'AACAPwAAAL8=')] });
  expect(await post({ encoding_format: 'base64' })).toMatchObject({ data: [item(0, 'AACAPwAAAL8=')] });
  expect(fake.requests.map(({ body }) => body['encoding_format'])).toEqual(['base64', 'base64']);
});

test('requests numbers from an upstream after it rejected base64', async () => {
  const { fake, post } = await upstream((response, { body }) =>
    'encoding_format' in body
      ? json(response, 400, { error: { message: 'encoding_format: only float is supported' } })
      : json(response, 200, list([item(0, [1, -0.5])])),
  );
  expect(await post({ encoding_format: 'base64' })).toMatchObject({ data: [item(0, 'AACAPwAAAL8=')] });
  expect(await post({ encoding_format: 'base64' })).toMatchObject({ data: [item(0, 'AACAPwAAAL8=')] });
  expect(fake.requests.map(({ body }) => body['encoding_format'])).toEqual(['base64', undefined, undefined]);
});

test('sorts embeddings by index, and estimates a missing usage', async () => {
  const { post } = await upstream((response) => json(response, 200, list([item(1, [2]), item(0, [1])], null)));
  const reply = await post({ input: ['a', 'b'] });
  const usage = { prompt_tokens: 2, total_tokens: 2 };
  expect(reply).toMatchObject({ data: [item(0, [1]), item(1, [2])], usage });
});

test.each<[string, unknown]>([
  ['too few embeddings', list([])],
  ['an index twice', list([item(0, [1]), item(0, [1])])],
  ['an index out of range', list([item(0, [1]), item(7, [1])])],
  ['an inherited name as index', list([item(0, [1]), { ...item(0, [1]), index: 'length' }])],
  ['different lengths', list([item(0, [1]), item(1, [1, 2])])],
  ['empty vectors', list([item(0, []), item(1, [])])],
  ['texts as numbers', list([item(0, ['1']), item(1, ['2'])])],
  ['half a float', list([item(0, 'AACA'), item(1, 'AACA')])],
  ['NaN in base64', list([item(0, 'AADAfw=='), item(1, 'AADAfw==')])],
  ['no list', { choices: [] }],
])('returns 502 for a reply with %s', async (_, body) => {
  const { post } = await upstream((response) => json(response, 200, body));
  expect(await post({ input: ['a', 'b'] })).toMatchObject({ status: 502 });
});

test('passes an error of the upstream on without secrets', async () => {
  const { post } = await upstream((response) =>
    json(response, 400, { error: { message: 'Too long: secret-of-ours', param: 'input', code: 'too_long' } }),
  );
  const reply = await post({});
  expect(reply).toMatchObject({ status: 400, error: { param: 'input', code: 'too_long' } });
  expect(JSON.stringify(reply)).not.toContain('secret-of-ours');
});

test('returns 400 for dimensions that the upstream ignores', async () => {
  const { post } = await upstream((response) => json(response, 200, list([item(0, [1, 2, 3])])));
  expect(await post({ dimensions: 2 })).toMatchObject({ status: 400, error: { param: 'dimensions' } });
});
