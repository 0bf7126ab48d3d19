import { AuthenticationError, isModelwireError, ModelwireError, PermissionError } from '@modelwire/models';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClients } from '../testing/clients.ts';
import type { Clients } from '../testing/clients.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    videos: false,
    moderation: { judge: { model: 'simulator' } },
    simulator: { models: [{ id: 'simulator' }, { id: 'house/large v2' }] },
  });
});
afterAll(() => server.stop());

const purpose = 'user_data';
const requestId = expect.stringMatching(/^req_/) as string;

/** One call of each client. */
const calls: readonly (readonly [string, (clients: Clients) => PromiseLike<unknown>])[] = [
  ['models.list', ({ models }) => models.list()],
  ['models.retrieve', ({ models }) => models.retrieve('simulator')],
  ['files.create', ({ files }) => files.create({ file: new Blob(['x']), purpose })],
  ['files.list', ({ files }) => files.list()],
  ['files.content', ({ files }) => files.content('file-none')],
  ['uploads.create', ({ uploads }) => uploads.create({ filename: 'a', bytes: 1, mime_type: 'text/plain', purpose })],
  ['uploads.upload', ({ uploads }) => uploads.upload({ file: new Blob(['x']), purpose })],
  ['batches.list', ({ batches }) => batches.list()],
  ['batches.wait', ({ batches }) => batches.wait('batch_none')],
  ['moderations.create', ({ moderations }) => moderations.create({ input: 'x' })],
  ['moderations.createMany', ({ moderations }) => moderations.createMany(['x']).next()],
];

test('models: list and retrieve, also with an ID that needs escaping', async () => {
  const { models } = createClients(server.url);
  const list = await models.list();
  const ids = list.data.map(({ id }) => id);
  expect(list.object).toBe('list');
  expect(ids).toEqual(expect.arrayContaining(['simulator', 'house/large v2']));
  expect((await Array.fromAsync(models.list())).map(({ id }) => id)).toEqual(ids);
  for (const each of list.data) expect(await models.retrieve(each.id)).toEqual(each);
  const { data, requestId: id, attempts } = await models.retrieve('simulator').withResponse();
  expect(data).toMatchObject({ id: 'simulator', object: 'model', owned_by: expect.any(String) as string });
  expect([attempts.length, id]).toEqual([1, requestId]);
});

test('models: a model that does not exist is a NotFoundError', async () => {
  const { models } = createClients(server.url);
  await expect(models.retrieve('nothing')).rejects.toMatchObject({
    name: 'NotFoundError',
    status: 404,
    code: 'model_not_found',
    requestId,
  });
});

describe('an invalid key', () => {
  test.each(calls)(
    '%s throws an AuthenticationError with a request id, without retries and without the key',
    async (_, call) => {
      const apiKey = 'sk-not-one-of-yours-123456';
      const clients = createClients(server.url, { apiKey });
      const error: unknown = await Promise.resolve(call(clients)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', requestId, attempts: [{ status: 401 }] });
      expect(clients.sent).toHaveLength(1);
      expect(JSON.stringify(error) + String(error)).not.toContain(apiKey);
    },
  );
});

test('a read_only key reads, and throws a PermissionError on writes', async () => {
  const clients = createClients(server.url, { apiKey: await server.makeKey({ project: 'p', role: 'read_only' }) });
  await expect(clients.files.create({ file: new Blob(['x']), purpose })).rejects.toBeInstanceOf(PermissionError);
  const upload = clients.uploads.upload({ file: new Blob(['x']), purpose });
  await expect(upload).rejects.toMatchObject({ name: 'PermissionError', status: 403, requestId });
  expect((await clients.files.list()).data).toEqual([]);
});

test('unknown IDs and invalid parameters throw the same error classes in every client', async () => {
  const { files, uploads, batches, moderations } = createClients(server.url);
  const wrong = [
    [() => files.retrieve('file-none'), 'NotFoundError', 'file_id'],
    [() => uploads.complete('upload_none', { part_ids: ['part_1'] }), 'NotFoundError', 'upload_id'],
    [() => batches.retrieve('batch_none'), 'NotFoundError', 'batch_id'],
    [() => files.list({ limit: -1 }), 'BadRequestError', 'limit'],
    [() => files.list({ after: 'file-none' }), 'BadRequestError', 'after'],
    [() => uploads.create({ filename: '', bytes: 0, mime_type: 'text/plain', purpose }), 'BadRequestError', 'filename'],
    [() => moderations.create({ input: [] }), 'BadRequestError', 'input'],
  ] as const;
  for (const [call, name, param] of wrong) {
    const error: unknown = await Promise.resolve(call()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelwireError);
    expect(isModelwireError(error)).toBe(true);
    expect(error).toMatchObject({ name, param, requestId, type: 'invalid_request_error' });
  }
});

test('two calls with the same idempotency key create one file', async () => {
  const { files } = createClients(server.url);
  const create = () => files.create({ file: new Blob(['x']), filename: 'a', purpose }, { idempotencyKey: 'one-file' });
  expect(await create()).toEqual(await create());
});
