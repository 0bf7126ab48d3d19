import { createServer } from '@modelwire/server';
import { approximately } from '@modelwire/vitest/approximately';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLlamaEmbedding } from './embedding.ts';
import type { LlamaEmbeddingEngine } from './embedding.ts';
import { tinyFile } from './testing/serve-tiny.ts';

let engine: LlamaEmbeddingEngine;
let post: (body: object) => Promise<{ readonly status: number; readonly body: Reply }>;
let remove: () => Promise<void>;

interface Reply {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[];
  readonly usage: { readonly prompt_tokens: number };
}

beforeAll(async () => {
  const file = await tinyFile();
  remove = () => file.remove();
  engine = await createLlamaEmbedding({ path: file.path, gpu: false, threads: 1, contextSize: 64 });
  const server = createServer({ engines: [], embeddingEngines: [engine], keys: 'open' });
  post = async (body) => {
    const response = await server.fetch(
      new Request('http://localhost/v1/embeddings', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tiny', ...body }),
      }),
    );
    return { status: response.status, body: (await response.json()) as Reply };
  };
});
afterAll(async () => {
  await engine.close();
  await remove();
});

const lengthOf = (vector: readonly number[] = []): number => Math.hypot(...vector);

test('computes an embedding of length 1 for each text, the same for the same text', async () => {
  const { status, body } = await post({ input: ['the river', 'the sea', 'the river'] });
  expect(status).toBe(200);
  const [river, sea, again] = body.data.map(({ embedding }) => embedding);
  expect(river).toHaveLength(engine.models()[0]?.size ?? 0);
  expect(lengthOf(river)).toBeCloseTo(1, 5);
  expect(again).toEqual(approximately(river));
  expect(sea).not.toEqual(approximately(river));
  expect(body.usage.prompt_tokens).toBeGreaterThanOrEqual(3);
});

test('truncates to dimensions and normalizes again', async () => {
  const { body } = await post({ input: 'the river', dimensions: 16 });
  expect(body.data[0]?.embedding).toHaveLength(16);
  expect(lengthOf(body.data[0]?.embedding)).toBeCloseTo(1, 5);
});

test.each<[string, object, object]>([
  [
    'a text that is longer than the context',
    { input: ['a', 'x '.repeat(200)] },
    { param: 'input[1]', code: 'context_length_exceeded' },
  ],
  ['token ids, which are of another vocabulary', { input: [1, 2] }, { param: 'input', code: 'unsupported_value' }],
  ['more dimensions than it has', { input: 'a', dimensions: 60_000 }, { param: 'dimensions' }],
])('rejects %s with a 400', async (_, fields, error) => {
  expect(await post(fields)).toMatchObject({ status: 400, body: { error } });
});

test('serves concurrent requests', async () => {
  const replies = await Promise.all(['the river', 'the sea', 'rain'].map((input) => post({ input })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('rejects options of chat models by name', async () => {
  const options = { path: 'none.gguf', sequences: 2 };
  await expect(createLlamaEmbedding(options)).rejects.toThrow(/'sequences'/);
});
