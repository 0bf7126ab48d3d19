import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    simulator: { models: [{ id: 'simulator', reply: 'Hi' }] },
    models: {
      'gpt-4o': { model: 'simulator' },
      'sora-2': { model: 'storyboard' },
      'text-moderation-latest': { model: 'omni-moderation-latest' },
      '*': { model: 'simulator' },
    },
    defaultModel: 'gpt-4o',
  });
});
afterAll(() => server.stop());

test('serves embedded models of every kind under aliases', async () => {
  const { client } = server;
  expect((await client.chat.completions.create({ model: 'gpt-4o', messages })).model).toBe('gpt-4o');
  expect((await client.chat.completions.create({ model: 'anything', messages })).model).toBe('anything');
  expect((await client.moderations.create({ model: 'text-moderation-latest', input: 'Hi' })).model).toBe(
    'text-moderation-latest',
  );
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['simulator', 'gpt-4o', 'sora-2', 'text-moderation-latest']),
  );
});

test('renders a video and its remix of an alias with the aliased model', { timeout: 60_000 }, async () => {
  const { videos } = server.client;
  const completed = (id: string) =>
    vi.waitFor(
      async () => {
        const video = await videos.retrieve(id);
        expect(video).toMatchObject({ status: 'completed', model: 'sora-2' });
        return video;
      },
      { timeout: 50_000, interval: 200 },
    );
  const { id, model } = await videos.create({ model: 'sora-2', prompt: 'A river.', seconds: '4' });
  expect(model).toBe('sora-2');
  await completed(id);
  expect((await videos.remix(id, { prompt: 'A river at night.' })).model).toBe('sora-2');
});

test('the catch-all serves embeddings, videos and moderation with models of their kind', async () => {
  const { embeddings, moderations, videos } = server.client;
  expect((await embeddings.create({ model: 'text-embedding-3-small', input: 'Hi' })).data).toHaveLength(1);
  expect((await moderations.create({ model: 'omni-moderation-2099', input: 'Hi' })).results).toHaveLength(1);
  const { id, model } = await videos.create({ model: 'sora-3', prompt: 'A river.', seconds: '4' });
  expect(model).toBe('sora-3');
  await videos.delete(id);
});

test('a model of another kind that is called by its own name is not redirected', async () => {
  const { embeddings, chat } = server.client;
  await expect(embeddings.create({ model: 'simulator', input: 'Hi' })).rejects.toMatchObject({ status: 400 });
  await expect(chat.completions.create({ model: 'storyboard', messages })).rejects.toMatchObject({ status: 400 });
});

test('filters stored completions by the requested model name', async () => {
  const { completions } = server.client.chat;
  const { id } = await completions.create({ model: 'gpt-4o', messages, store: true });
  const found = async (model: string) => (await completions.list({ model })).data.map((one) => one.id);
  await expect.poll(() => found('gpt-4o')).toEqual([id]);
  expect(await found('simulator')).toEqual([]);
});

test('serves a chat request without a model with the default model', async () => {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages }),
  });
  expect(await response.json()).toMatchObject({ model: 'gpt-4o' });
});

test('rejects an alias of an unknown model at startup', async () => {
  const starting = startTestServer({ models: { 'gpt-4o': { model: 'llama' } } });
  await expect(starting).rejects.toBeInstanceOf(ConfigError);
  await expect(starting).rejects.toThrow("models: 'gpt-4o' names the model 'llama', which no engine serves.");
});
