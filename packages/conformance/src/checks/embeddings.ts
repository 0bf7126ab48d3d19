import { check } from '../check.ts';
import type { Check, CheckInit } from '../check.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { describeValue, listAt, valueAt } from '../exchange/value.ts';
import { assertConforms, assertSuccess, successful } from '../verdict.ts';
import { embeddingModel } from '../context/create-objects.ts';
import type { RunContext } from '../context/run-context.ts';
import { rejectionChecks } from './refusal.ts';

const CREATE = 'embeddings.create';
const section = 'companion';

const river = 'A quiet walk by the river.';
const bread = 'Bread and butter.';

async function post(context: RunContext, input: unknown, fields: object = {}): Promise<CompleteResponse> {
  const model = await embeddingModel(context);
  const body = { model, input, ...fields };
  return context.sendOnce(`embeddings ${JSON.stringify(body)}`, () => ({ method: 'POST', path: '/embeddings', body }));
}

const embed = (context: RunContext, input: unknown, fields: object = {}): Promise<CompleteResponse> =>
  successful(post(context, input, fields));

function embeddingsOf(response: CompleteResponse): readonly unknown[] {
  return listAt(response.json, 'data').map((item) => valueAt(item, 'embedding'));
}

function vectorsOf(response: CompleteResponse, count: number): readonly (readonly number[])[] {
  const embeddings = embeddingsOf(response);
  assertConforms(
    response,
    embeddings.length === count,
    `There are ${embeddings.length} embeddings for ${count} inputs.`,
    'The response has one embedding for each input, in their order.',
  );
  return embeddings.map((vector) => {
    const isVector = Array.isArray(vector) && vector.every((number) => typeof number === 'number');
    assertConforms(response, isVector, 'An embedding is not an array of numbers.');
    return vector;
  });
}

/** Decodes base64 of little-endian 32-bit floats as the official SDKs do. */
function decode(response: CompleteResponse, text: unknown): readonly number[] {
  assertConforms(
    response,
    typeof text === 'string',
    'The embedding is not a string.',
    'Official SDKs ask for base64 and decode whatever comes: numbers become a vector of zeros.',
  );
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  assertConforms(response, bytes.length > 0 && bytes.length % 4 === 0, `There are ${bytes.length} bytes.`);
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
    run: async (context) => void vectorsOf(await embed(context, river), 1),
  }),
  embedding('input.list', {
    title: 'Three texts give three embeddings of the same length, with their indices',
    weight: 3,
    async run(context) {
      const response = await embed(context, [river, bread, river]);
      const [first = [], second = [], third = []] = vectorsOf(response, 3);
      assertConforms(response, first.length === second.length && first.length > 0, 'Their lengths differ.');
      const indices = listAt(response.json, 'data').map((item) => valueAt(item, 'index'));
      assertConforms(response, indices.join() === '0,1,2', `The indices are ${indices.join()}.`);
      assertConforms(response, cosine(first, third) > 0.99, 'The same text has different embeddings.');
      assertConforms(response, cosine(first, second) < 0.99, 'Different texts have the same embedding.');
    },
  }),
  embedding('input.tokens', {
    title: 'Token IDs are embedded, or rejected with a 400',
    certainty: 'likely',
    async run(context) {
      const response = await post(context, [[1, 2, 3], [4]]);
      if (response.status === 400) return 'Rejected with a 400.';
      assertSuccess(response);
      vectorsOf(response, 2);
      return undefined;
    },
  }),
  embedding('base64', {
    title: 'base64 has the same numbers as 32-bit floats',
    weight: 3,
    async run(context) {
      const [numbers = []] = vectorsOf(await embed(context, river, { encoding_format: 'float' }), 1);
      const response = await embed(context, river, { encoding_format: 'base64' });
      const decoded = decode(response, embeddingsOf(response)[0]);
      assertConforms(response, decoded.length === numbers.length, `There are ${decoded.length} numbers.`);
      assertConforms(response, cosine(decoded, numbers) > 0.99, 'They are other numbers.');
    },
  }),
  embedding('dimensions', {
    title: 'dimensions shortens the embedding, or is rejected with a 400',
    certainty: 'likely',
    async run(context) {
      const response = await post(context, river, { dimensions: 32 });
      if (response.status === 400) return 'Rejected with a 400.';
      assertSuccess(response);
      const [vector = []] = vectorsOf(response, 1);
      assertConforms(
        response,
        vector.length === 32,
        `It has ${vector.length} numbers, so dimensions was dropped silently.`,
      );
      return undefined;
    },
  }),
  embedding('usage', {
    title: 'The usage counts the tokens of the inputs',
    certainty: 'likely',
    async run(context) {
      const response = await embed(context, river);
      const prompt = valueAt(response.json, 'usage', 'prompt_tokens');
      assertConforms(response, typeof prompt === 'number' && prompt > 0, `prompt_tokens is ${describeValue(prompt)}.`);
      assertConforms(
        response,
        valueAt(response.json, 'usage', 'total_tokens') === prompt,
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
    call: async (context) => ({
      method: 'POST',
      path: '/embeddings',
      body: { model: await embeddingModel(context), input: river, ...fields },
    }),
  });
}
