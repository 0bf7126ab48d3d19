import { BadRequestError } from '@modelwire/moderations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breakingProxy } from '../testing/breaking-proxy.ts';
import { createClients } from '../testing/clients.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ videos: false });
});
afterAll(() => server.stop());

/** Every third one shows an intent of self-harm. */
const texts = Array.from({ length: 500 }, (_, n) =>
  n % 3 === 0 ? `I want to kill myself, I wrote ${n} times.` : `We walked along the river for ${n} minutes.`,
);

test('create moderates one or several texts', async () => {
  const { moderations } = createClients(server.url);
  const { data, requestId } = await moderations.create({ input: texts[0] ?? '' }).withResponse();
  expect(data).toMatchObject({ id: expect.stringMatching(/^modr-/) as string, model: 'omni-moderation-latest' });
  expect(data.results).toHaveLength(1);
  expect(data.results[0]).toMatchObject({ flagged: true, categories: { 'self-harm/intent': true } });
  expect(requestId).toMatch(/^req_/);
  const several = await moderations.create({ input: texts.slice(0, 3), model: 'omni-moderation-latest' });
  expect(several.results.map(({ flagged }) => flagged)).toEqual([true, false, false]);
  const parts = await moderations.create({ input: [{ type: 'text', text: texts[1] ?? '' }] });
  expect(parts.results.map(({ flagged }) => flagged)).toEqual([false]);
});

test('createMany returns the results of 500 texts in order, with few requests', async () => {
  const { moderations, sent } = createClients(server.url);
  const found = await Array.fromAsync(moderations.createMany(texts, { lingerMs: 60_000 }));
  expect(found.map(({ index, input }) => [index, input])).toEqual(texts.map((text, index) => [index, text]));
  expect(found.map(({ result }) => result.flagged)).toEqual(texts.map((_, index) => index % 3 === 0));
  expect(sent).toHaveLength(Math.ceil(500 / 32));
  // Results of one request have the same ID.
  expect(new Set(found.map(({ id }) => id)).size).toBe(sent.length);
});

test('createMany accepts async iterables of texts and parts and recovers from lost connections', async () => {
  const proxy = await breakingProxy(server.url);
  const { moderations } = createClients(proxy.url);
  proxy.breaks.push({ sender: 'client', bytes: 500 }, { sender: 'server', bytes: 100 });
  async function* coming() {
    for (const text of texts.slice(0, 40)) {
      yield await Promise.resolve(text);
      yield [{ type: 'text' as const, text }];
    }
  }
  const flagged: boolean[] = [];
  for await (const { result } of moderations.createMany(coming(), { batchSize: 8 })) flagged.push(result.flagged);
  expect(flagged).toEqual(texts.slice(0, 40).flatMap((_, index) => [index % 3 === 0, index % 3 === 0]));
  expect(proxy.broken()).toBe(2);
});

test('createMany throws the error of the server at the position of a refused input', async () => {
  const { moderations } = createClients(server.url);
  const inputs = ['one', 'two', [{ type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }]];
  const seen: number[] = [];
  const walk = async () => {
    for await (const { index } of moderations.createMany(inputs, { batchSize: 1 })) seen.push(index);
  };
  await expect(walk()).rejects.toMatchObject({
    name: 'BadRequestError',
    param: expect.stringContaining('input') as string,
    requestId: expect.stringMatching(/^req_/) as string,
  });
  expect(seen).toEqual([0, 1]);
  await expect(moderations.create({ input: [] })).rejects.toBeInstanceOf(BadRequestError);
});
