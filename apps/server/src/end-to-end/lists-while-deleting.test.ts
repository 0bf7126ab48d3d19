import { toFile } from 'openai';
import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

// Typical cleanup code: a loop over a list that deletes each item. The SDK requests the next page after a deleted ID.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Listed {
  readonly id: string;
}

interface Kind {
  readonly name: string;
  make(client: OpenAI, index: number): Promise<Listed>;
  list(client: OpenAI, limit?: number): AsyncIterable<Listed>;
  delete(client: OpenAI, id: string): Promise<unknown>;
}

const kinds: readonly Kind[] = [
  {
    name: 'files',
    make: async ({ files }, index) =>
      files.create({ file: await toFile(Buffer.from('x'), `${index}.txt`), purpose: 'user_data' }),
    list: ({ files }, limit) => files.list({ ...(limit !== undefined && { limit }), purpose: 'user_data' }),
    delete: ({ files }, id) => files.delete(id),
  },
  {
    name: 'stored completions',
    make: ({ chat }, index) =>
      chat.completions.create({
        model: 'simulator',
        store: true,
        messages: [{ role: 'user', content: String(index) }],
        metadata: { of: 'this test' },
      }),
    list: ({ chat }, limit) =>
      chat.completions.list({ ...(limit !== undefined && { limit }), metadata: { of: 'this test' } }),
    delete: ({ chat }, id) => chat.completions.delete(id),
  },
  {
    name: 'videos',
    make: ({ videos }, index) => videos.create({ model: 'storyboard', prompt: String(index), seconds: '4' }),
    list: ({ videos }, limit) => videos.list({ ...(limit !== undefined && { limit }) }),
    delete: ({ videos }, id) => videos.delete(id),
  },
];

test.each(kinds)('$name can be deleted while iterating over their list', async (kind) => {
  const { client } = server;
  const createdIds: string[] = [];
  for (let index = 0; index < 5; index++) createdIds.push((await kind.make(client, index)).id);
  const deleted: string[] = [];
  for await (const { id } of kind.list(client, 2)) {
    await kind.delete(client, id);
    deleted.push(id);
  }
  expect(deleted.toSorted()).toEqual(createdIds.toSorted());
  expect(await Array.fromAsync(kind.list(client))).toEqual([]);
});

test('every list returns 400 for an unknown cursor, also for a deleted ID of another list', async () => {
  const { client } = server;
  const file = await client.files.create({ file: await toFile(Buffer.from('x'), 'a'), purpose: 'user_data' });
  await client.files.delete(file.id);
  for (const after of ['nothing', file.id]) {
    for (const path of ['/files', '/batches', '/videos', '/chat/completions']) {
      if (path === '/files' && after === file.id) continue;
      await expect(client.get(path, { query: { after } })).rejects.toMatchObject({
        status: 400,
        param: 'after',
        message: expect.stringContaining(after) as string,
      });
    }
  }
});
