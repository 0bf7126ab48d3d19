import type { EmbeddingInput } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { createSimulatorEmbedding } from './simulator-embedding.ts';

const engine = createSimulatorEmbedding();
const context = { requestId: 'req_1', project: 'p', extra: {}, signal: new AbortController().signal };

function embed(inputs: readonly EmbeddingInput[], dimensions?: number) {
  const request = {
    model: 'simulator-embedding',
    inputs,
    dimensions,
    encoding_format: 'float',
    user: undefined,
  } as const;
  return engine.embed(request, context);
}

function cosine(one: ArrayLike<number> = [], other: ArrayLike<number> = []): number {
  return Array.from(one).reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

test('returns the same vector of length 1 for the same text, in any order and batch', async () => {
  const { embeddings } = await embed(['The Danube is a river.', 'The Alps are mountains.', 'the danube is a RIVER']);
  const [danube, alps, again] = embeddings;
  expect(danube).toHaveLength(256);
  expect(cosine(danube, danube)).toBeCloseTo(1, 5);
  expect(again).toEqual(danube);
  expect(cosine(danube, alps)).toBeLessThan(0.5);
  expect((await embed(['The Danube is a river.'])).embeddings[0]).toEqual(danube);
});

test('returns similar vectors for texts that share words', async () => {
  const { embeddings } = await embed([
    'The Danube is a long river',
    'The Danube is a wide river',
    'Bake bread at noon',
  ]);
  const [one, two, other] = embeddings;
  expect(cosine(one, two)).toBeGreaterThan(cosine(one, other) + 0.4);
});

test.each([1, 3, 1536, 4096])('computes %i dimensions', async (dimensions) => {
  const { embeddings } = await embed(['a b c', '!?', '河流', 'a'.repeat(1000)], dimensions);
  for (const vector of embeddings) {
    expect(vector).toHaveLength(dimensions);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
  }
});

test('counts the tokens of texts with o200k, and each token ID as one', async () => {
  expect((await embed(['Hello world', 'Hello'])).promptTokens).toBe(3);
  const { embeddings, promptTokens } = await embed([[1, 2, 3], [3, 2, 1], [4]]);
  expect(promptTokens).toBe(7);
  expect(embeddings[0]).toEqual(embeddings[1]);
  expect(embeddings[0]).not.toEqual(embeddings[2]);
});

test('stops when the client disconnects', async () => {
  const caller = new AbortController();
  const request = { model: 'simulator-embedding', inputs: ['word '.repeat(50_000)], dimensions: 8 } as const;
  const embedding = engine.embed(
    { ...request, encoding_format: 'float', user: undefined },
    { ...context, signal: caller.signal },
  );
  caller.abort(new Error('left'));
  await expect(embedding).rejects.toThrow('left');
});
