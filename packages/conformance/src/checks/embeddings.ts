import { check } from '../check.ts';
import type { Check, CheckInit } from '../check.ts';
import type { Answer } from '../exchange/answer.ts';
import { listAt, valueAt } from '../exchange/value.ts';
import { assertConforms, assertSuccess } from '../verdict.ts';
import { embeddingModel } from '../world/makers.ts';
import type { World } from '../world/world.ts';
import { rejectionChecks } from './refusal.ts';

const CREATE = 'embeddings.create';
const section = 'companion';

const river = 'A quiet walk by the river.';
const bread = 'Bread and butter.';

async function post(world: World, input: unknown, fields: object = {}): Promise<Answer> {
  const model = await embeddingModel(world);
  const body = { model, input, ...fields };
  return world.sendOnce(`embeddings ${JSON.stringify(body)}`, () => ({ method: 'POST', path: '/embeddings', body }));
}

async function embed(world: World, input: unknown, fields: object = {}): Promise<Answer> {
  const answer = await post(world, input, fields);
  assertSuccess(answer);
  return answer;
}

function embeddingsOf(answer: Answer): readonly unknown[] {
  return listAt(answer.json, 'data').map((item) => valueAt(item, 'embedding'));
}

function vectorsOf(answer: Answer, count: number): readonly (readonly number[])[] {
  const embeddings = embeddingsOf(answer);
  assertConforms(
    answer,
    embeddings.length === count,
    `There are ${embeddings.length} embeddings for ${count} inputs.`,
    'The response has one embedding for each input, in their order.',
  );
  return embeddings.map((vector) => {
    const isVector = Array.isArray(vector) && vector.every((number) => typeof number === 'number');
    assertConforms(answer, isVector, 'An embedding is not an array of numbers.');
    return vector;
  });
}

/** Decodes base64 of little-endian 32-bit floats as the official SDKs do. */
function decode(answer: Answer, text: unknown): readonly number[] {
  assertConforms(
    answer,
    typeof text === 'string',
    'The embedding is not a string.',
    'Official SDKs ask for base64 and decode whatever comes: numbers become a vector of zeros.',
  );
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  assertConforms(answer, bytes.length > 0 && bytes.length % 4 === 0, `There are ${bytes.length} bytes.`);
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

const embedding = (name: string, init: Omit<CheckInit, 'section'>): Check => check(CREATE, name, { section, ...init });

/** Create embeddings. */
export const embeddingChecks: readonly Check[] = [
  embedding('input.text', {
    title: 'A text gives one embedding of numbers',
    weight: 3,
    run: async (world) => void vectorsOf(await embed(world, river), 1),
  }),
  embedding('input.list', {
    title: 'Three texts give three embeddings of the same length, with their indices',
    weight: 3,
    async run(world) {
      const answer = await embed(world, [river, bread, river]);
      const [first = [], second = [], third = []] = vectorsOf(answer, 3);
      assertConforms(answer, first.length === second.length && first.length > 0, 'Their lengths differ.');
      const indices = listAt(answer.json, 'data').map((item) => valueAt(item, 'index'));
      assertConforms(answer, indices.join() === '0,1,2', `The indices are ${indices.join()}.`);
      assertConforms(answer, cosine(first, third) > 0.99, 'The same text has different embeddings.');
      assertConforms(answer, cosine(first, second) < 0.99, 'Different texts have the same embedding.');
    },
  }),
  embedding('input.tokens', {
    title: 'Token IDs are embedded, or refused by name',
    certainty: 'likely',
    async run(world) {
      const answer = await post(world, [[1, 2, 3], [4]]);
      if (answer.status === 400) return 'Refused by name.';
      assertSuccess(answer);
      vectorsOf(answer, 2);
      return undefined;
    },
  }),
  embedding('base64', {
    title: 'base64 has the same numbers as 32-bit floats',
    weight: 3,
    async run(world) {
      const [numbers = []] = vectorsOf(await embed(world, river, { encoding_format: 'float' }), 1);
      const answer = await embed(world, river, { encoding_format: 'base64' });
      const decoded = decode(answer, embeddingsOf(answer)[0]);
      assertConforms(answer, decoded.length === numbers.length, `There are ${decoded.length} numbers.`);
      assertConforms(answer, cosine(decoded, numbers) > 0.99, 'They are other numbers.');
    },
  }),
  embedding('dimensions', {
    title: 'dimensions shortens the embedding, or is refused by name',
    certainty: 'likely',
    async run(world) {
      const answer = await post(world, river, { dimensions: 32 });
      if (answer.status === 400) return 'Refused by name.';
      assertSuccess(answer);
      const [vector = []] = vectorsOf(answer, 1);
      assertConforms(
        answer,
        vector.length === 32,
        `It has ${vector.length} numbers, so dimensions was dropped silently.`,
      );
      return undefined;
    },
  }),
  embedding('usage', {
    title: 'The usage counts the tokens of the inputs',
    certainty: 'likely',
    async run(world) {
      const answer = await embed(world, river);
      const prompt = valueAt(answer.json, 'usage', 'prompt_tokens');
      assertConforms(answer, typeof prompt === 'number' && prompt > 0, `prompt_tokens is ${String(prompt)}.`);
      assertConforms(
        answer,
        valueAt(answer.json, 'usage', 'total_tokens') === prompt,
        'total_tokens is another number.',
      );
    },
  }),
  ...rejects('model', 'An unknown model is refused', 'model', { model: 'no-embedding' }, [404]),
  ...rejects('empty', 'An empty list of inputs is refused', 'input', { input: [] }),
  ...rejects('empty-text', 'An empty text is refused', 'input', { input: ['a', ''] }),
  ...rejects('format', 'An unknown encoding_format is refused', 'encoding_format', { encoding_format: 'int4' }),
];

function rejects(name: string, title: string, field: string, fields: object, statuses: readonly number[] = []) {
  return rejectionChecks(CREATE, `refuses.${name}`, {
    ...{ title, section, field, statuses, certainty: 'likely' },
    call: async (world) => ({
      method: 'POST',
      path: '/embeddings',
      body: { model: await embeddingModel(world), input: river, ...fields },
    }),
  });
}
