import type { ModerationEngine, UsageIncrement, UsageStore } from '@modelwire/ports';
import { moderationCategories } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { dataUrl, imageHeads } from '@modelwire/ports/testing';
import { listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';

const png = dataUrl('image/png', imageHeads['image/png'](20, 10));

async function serving(engine = wordModeration(), options: object = {}) {
  const { client, postTo } = await listen({ engines: [], moderationEngines: [engine], ...options });
  const refusal = (body: unknown) => postTo('/moderations', body);
  return { client, refusal, engine };
}

test('a text gives one result with all thirteen categories', async () => {
  const { client } = await serving();
  const moderation = await client.moderations.create({ input: 'a bad thing' });
  expect(moderation.id).toMatch(/^modr-/);
  expect(moderation.model).toBe('omni-moderation-latest');
  expect(moderation.results).toHaveLength(1);
  const [result] = moderation.results;
  expect(result?.flagged).toBe(true);
  expect(Object.keys(result?.categories ?? {})).toHaveLength(13);
  expect(result?.categories.violence).toBe(true);
  expect(result?.categories['illicit/violent']).toBe(false);
  expect(result?.category_scores.violence).toBe(0.9);
  expect(result?.category_scores.hate).toBe(0);
  expect(result?.category_applied_input_types.violence).toEqual(['text']);
  expect(result?.category_applied_input_types.hate).toEqual([]);
  // Only for the categories for which the engine has a threshold.
  expect(result).toHaveProperty('category_thresholds', { violence: 0.5 });
});

test('names the categories that were not judged for one of the inputs', async () => {
  const unjudged = async (engine: ModerationEngine, input: string | string[]) => {
    const { client } = await listen({ engines: [], moderationEngines: [engine] });
    const { response } = await client.moderations.create({ input }).withResponse();
    return response.headers.get('x-modelwire-unjudged-categories');
  };
  const judged = await unjudged(wordModeration(), 'a bad thing');
  expect(judged?.split(', ')).toEqual(moderationCategories.filter((category) => category !== 'violence'));
  const verdict = { score: 0, flagged: false, appliedTo: ['text'] } as const;
  const complete = Object.fromEntries(moderationCategories.map((category) => [category, verdict]));
  const engine = {
    ...wordModeration(),
    moderate: ({ inputs }: { readonly inputs: readonly unknown[] }) =>
      Promise.resolve(inputs.map((_, index) => (index === 1 ? { ...complete, hate: undefined } : complete))),
  };
  expect(await unjudged(engine, ['a'])).toBe(null);
  expect(await unjudged(engine, ['a', 'b'])).toBe('hate');
});

test('a list of texts gives one result each, in order', async () => {
  const { client } = await serving();
  const { results } = await client.moderations.create({
    input: ['bad', 'fine', 'also bad'],
    model: 'omni-moderation-2024-09-26',
  });
  expect(results.map(({ flagged }) => flagged)).toEqual([true, false, true]);
});

test('all parts have one result together; images reach the engine decoded, with their actual type', async () => {
  const { client, engine } = await serving();
  const mistyped = dataUrl('image/png', imageHeads['image/jpeg'](20, 10));
  const { results } = await client.moderations.create({
    input: [
      { type: 'text', text: 'fine' },
      { type: 'image_url', image_url: { url: mistyped } },
    ],
  });
  expect(results).toHaveLength(1);
  expect(results[0]?.category_applied_input_types.sexual).toEqual(['image']);
  expect(engine.asked).toEqual([
    [
      { type: 'text', text: 'fine' },
      { type: 'image', mediaType: 'image/jpeg', bytes: imageHeads['image/jpeg'](20, 10) },
    ],
  ]);
});

test('a text-only model uses the older format, and rejects images with a 400 that names the field', async () => {
  const { client, refusal } = await serving(wordModeration(['text']));
  const { results } = await client.moderations.create({ input: 'bad' });
  expect(Object.keys(results[0]?.categories ?? {})).toHaveLength(11);
  expect(results[0]).not.toHaveProperty('category_applied_input_types');
  expect(results[0]?.category_scores).not.toHaveProperty('illicit');
  expect(await refusal({ input: [{ type: 'image_url', image_url: { url: png } }] })).toMatchObject({
    status: 400,
    error: { param: 'input[0].type', code: 'unsupported_value' },
  });
});

test.each([
  ['no input', {}, 'input', 'missing_required_parameter'],
  ['an empty list', { input: [] }, 'input', 'empty_array'],
  ['a number', { input: 5 }, 'input', 'invalid_type'],
  ['texts and parts mixed', { input: ['a', { type: 'text', text: 'b' }] }, 'input[1]', null],
  ['an unknown field', { input: 'a', categories: ['hate'] }, 'categories', 'unknown_parameter'],
  ['a model that is none', { input: 'a', model: 'gpt' }, 'model', 'model_not_found'],
  [
    'an image that is text',
    { input: [{ type: 'image_url', image_url: { url: dataUrl('image/png', Buffer.from('hello')) } }] },
    'input[0].image_url.url',
    'invalid_image',
  ],
  [
    'an image of too many pixels',
    {
      input: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: dataUrl('image/png', imageHeads['image/png'](60_000, 60_000)) } },
      ],
    },
    'input[1].image_url.url',
    'image_too_large',
  ],
  [
    'an image from elsewhere',
    { input: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
    'input[0].image_url.url',
    'unsupported_value',
  ],
  ['a text without end', { input: ['a', 'a'.repeat(100_001)] }, 'input[1]', 'string_above_max_length'],
  [
    'texts that are too long',
    { input: Array.from({ length: 11 }, () => 'a'.repeat(95_000)) },
    'input',
    'string_above_max_length',
  ],
  [
    'too many images',
    { input: Array.from({ length: 17 }, () => ({ type: 'image_url', image_url: { url: png } })) },
    'input',
    'array_above_max_length',
  ],
  ['too many texts', { input: Array.from({ length: 2049 }, () => 'a') }, 'input', 'array_above_max_length'],
])('%s is a 400 that names the field', async (_, body, param, code) => {
  const { refusal } = await serving();
  const refused = await refusal(body);
  expect(refused).toMatchObject({
    status: code === 'model_not_found' ? 404 : 400,
    error: { type: 'invalid_request_error', param },
  });
  if (code !== null) expect(refused).toMatchObject({ error: { code } });
});

test('fetches images if configured; errors name the part without details', async () => {
  const seen: string[] = [];
  const fetchImage = (url: string): Promise<Uint8Array> => {
    seen.push(url);
    if (url.endsWith('no.png')) throw new Error('its server responded with status 403');
    return Promise.resolve(imageHeads['image/gif'](3, 3));
  };
  const { client, engine, refusal } = await serving(wordModeration(), { fetchImage });
  const input = (url: string) => [{ type: 'image_url' as const, image_url: { url } }];
  await client.moderations.create({ input: input('https://example.com/yes.png') });
  expect(engine.asked[0]?.[0]).toMatchObject({ mediaType: 'image/gif' });
  expect(await refusal({ input: input('https://example.com/no.png') })).toMatchObject({
    status: 400,
    error: {
      param: 'input[0].image_url.url',
      code: 'image_not_fetched',
      message: "The image in 'input[0].image_url.url' could not be fetched: its server responded with status 403.",
    },
  });
  expect(seen).toEqual(['https://example.com/yes.png', 'https://example.com/no.png']);
});

test('refuses more images than maxModerationImages without decoding or fetching any', async () => {
  const { client, refusal } = await serving(wordModeration(), { maxModerationImages: 2 });
  const images = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'image_url' as const, image_url: { url: png } }));
  expect((await client.moderations.create({ input: images(2) })).results).toHaveLength(1);
  expect(await refusal({ input: images(3) })).toMatchObject({
    status: 400,
    error: {
      param: 'input',
      code: 'array_above_max_length',
      message: "Invalid 'input': expected at most 2 images, but got 3. Send the rest in further requests.",
    },
  });
});

test('limits the total size of fetched images of a request', async () => {
  let fetched = 0;
  const fetchImage = (): Promise<Uint8Array> => {
    fetched++;
    return Promise.resolve(Buffer.concat([imageHeads['image/gif'](3, 3), Buffer.alloc(20_000_000)]));
  };
  const { refusal } = await serving(wordModeration(), { fetchImage });
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.gif' } };
  const refused = await refusal({ input: Array.from({ length: 16 }, () => image) });
  expect(refused).toMatchObject({
    status: 400,
    error: { param: 'input[3].image_url.url', code: 'image_too_large' },
  });
  expect(fetched).toBe(4);
});

test('lists moderation models; without an engine the endpoint does not exist', async () => {
  const { client } = await serving();
  const ids = (await client.models.list()).data.map(({ id }) => id);
  expect(ids).toEqual(['omni-moderation-latest', 'omni-moderation-2024-09-26']);
  const retrieved = await client.models.retrieve('omni-moderation-latest');
  expect(retrieved).toMatchObject({ owned_by: 'tests', kinds: ['moderation'] });
  const without = await listen({ engines: [] });
  await expect(without.client.moderations.create({ input: 'a' })).rejects.toMatchObject({
    status: 404,
    code: 'unknown_url',
  });
});

test.each([
  ['that the engine received', true],
  ['that waits for the engine', false],
])('a request %s when its client leaves is charged: %s', async (_, isReceived) => {
  const reached = Promise.withResolvers<undefined>();
  const counted: UsageIncrement[] = [];
  const usage: UsageStore = { add: async (some) => void counted.push(...some), read: async () => [] };
  const engine: ModerationEngine = {
    ...wordModeration(),
    moderate: (_request, { signal }) => {
      reached.resolve(undefined);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
  };
  const stores = { ...memoryWork().stores, usage };
  const { client, server } = await listen({ engines: [], moderationEngines: [engine], stores, engineConcurrency: 1 });
  const leave = new AbortController();
  const send = (signal: AbortSignal) => client.moderations.create({ input: 'fine' }, { signal }).catch(() => undefined);
  const first = new AbortController();
  const running = send(first.signal);
  await reached.promise;
  if (!isReceived) {
    const waiting = send(leave.signal);
    await expect.poll(() => server.stats().requestsInFlight).toBe(2);
    leave.abort();
    await waiting;
    await expect.poll(() => server.stats().requestsInFlight).toBe(1);
  }
  first.abort();
  await running;
  await expect.poll(() => server.stats().requestsInFlight).toBe(0);
  await server.close(10);
  expect(counted.map(({ requests }) => requests)).toEqual([1]);
});
