import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ videos: false });
});
afterAll(() => server.stop());

/** Two by two pixels, grey. */
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAADklEQVR4nGNoAAMGCAUAKg4GARWeQtcAAAAASUVORK5CYII=';

test('the embedded models moderate texts and images in the categories that they judge', async () => {
  const { results, model, id } = await server.client.moderations.create({
    input: ['I want to kill myself, I have had enough', 'How do I kill a process that hangs?'],
  });
  expect([id.slice(0, 5), model]).toEqual(['modr-', 'omni-moderation-latest']);
  expect(results.map(({ flagged }) => flagged)).toEqual([true, false]);
  expect(results[0]?.categories['self-harm/intent']).toBe(true);
  expect(Object.keys(results[0]?.category_scores ?? {})).toHaveLength(13);
  expect(results[0]?.category_applied_input_types['self-harm']).toEqual(['text']);
  const mixed = await server.client.moderations.create({
    model: 'omni-moderation-2024-09-26',
    input: [
      { type: 'text', text: 'two grey pixels' },
      { type: 'image_url', image_url: { url: png } },
    ],
  });
  expect(mixed.results).toHaveLength(1);
  expect(mixed.results[0]?.flagged).toBe(false);
  const applied = mixed.results[0]?.category_applied_input_types;
  expect([applied?.sexual.includes('image'), applied?.['self-harm'], applied?.violence]).toEqual([true, ['text'], []]);
});

test('text-only moderation returns the older shape and refuses images by name', async () => {
  const texts = await startTestServer({ videos: false, moderation: { images: false } });
  const { results } = await texts.client.moderations.create({ input: 'Hello' });
  const refused = texts.client.moderations.create({ input: [{ type: 'image_url', image_url: { url: png } }] });
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'input[0].type' });
  await texts.stop();
  expect(Object.keys(results[0]?.categories ?? {})).toHaveLength(11);
  expect(results[0]).not.toHaveProperty('category_applied_input_types');
});

test('runs a batch of moderations', async () => {
  const line = (custom_id: string, input: string) =>
    JSON.stringify({ custom_id, method: 'POST', url: '/v1/moderations', body: { input } });
  const file = await server.client.files.create({
    purpose: 'batch',
    file: new File([[line('a', 'Hello there'), line('b', 'I will kill myself')].join('\n')], 'in.jsonl'),
  });
  const { id } = await server.client.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/moderations',
    completion_window: '24h',
  });
  await expect
    .poll(async () => (await server.client.batches.retrieve(id)).status, { timeout: 60_000 })
    .toBe('completed');
  const { output_file_id } = await server.client.batches.retrieve(id);
  const text = await (await server.client.files.content(output_file_id ?? '')).text();
  const flagged = text
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each) as { custom_id: string; response: { body: { results: { flagged: boolean }[] } } })
    .map(({ custom_id, response }) => [custom_id, response.body.results[0]?.flagged]);
  expect(flagged).toEqual([
    ['a', false],
    ['b', true],
  ]);
});

test('moderates through an upstream, and through a chat model', async () => {
  const front = await startTestServer({
    videos: false,
    moderation: { upstream: { baseURL: `${server.url}/v1`, apiKey: 'test-key-1234567890' } },
  });
  const { results } = await front.client.moderations.create({ input: 'I will kill myself' });
  await front.stop();
  expect(results[0]?.flagged).toBe(true);
  const judged = await startTestServer({ videos: false, moderation: { judge: { model: 'simulator' } } });
  // The simulator generates a verdict that is valid for its schema, if arbitrary.
  const verdict = await judged.client.moderations.create({ input: 'Hello' });
  await judged.stop();
  expect(Object.values(verdict.results[0]?.category_scores ?? {}).every((score) => score >= 0 && score <= 1)).toBe(
    true,
  );
});

test('without moderation the endpoint returns 404', async () => {
  const without = await startTestServer({ videos: false, moderation: false });
  await expect(without.client.moderations.create({ input: 'a' })).rejects.toMatchObject({ status: 404 });
  await without.stop();
});
