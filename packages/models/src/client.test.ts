import { collect, json, startRecordingServer } from '@modelwire/core/testing';
import { expect, expectTypeOf, test } from 'vitest';
import { createModels, createTransport, NotFoundError, PermissionError } from './index.ts';
import type { Model, ModelCapabilities } from './index.ts';

const model = { id: 'simulator', object: 'model', created: 1, owned_by: 'modelwire', context_window: 8192 } as const;

test('list() returns the list or iterates its models, and keeps unknown fields', async () => {
  const { baseURL, recorded } = await startRecordingServer((response) =>
    json(response, { object: 'list', data: [model, model] }),
  );
  const models = createModels({ baseURL, apiKey: 'test-key' });
  expect((await models.list()).data).toEqual([model, model]);
  const each = await collect(models.list());
  expectTypeOf(each).toEqualTypeOf<Model[]>();
  expect(each).toEqual([model, model]);
  expect(recorded).toMatchObject([
    { method: 'GET', path: '/models', headers: { authorization: 'Bearer test-key' } },
    { method: 'GET', path: '/models' },
  ]);
});

test('retrieve() encodes an ID as one path segment', async () => {
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, model));
  const models = createModels(createTransport({ baseURL }));
  const { data, requestId } = await models.retrieve('org/model:7b').withResponse();
  expect([data, requestId]).toEqual([model, 'req_1']);
  expect(recorded).toMatchObject([{ method: 'GET', path: '/models/org%2Fmodel%3A7b' }]);
});

test('capabilities() requests the capabilities of one model', async () => {
  const told = { object: 'model.capabilities', model: 'org/model:7b', parameters: { seed: 'native', n: 'emulated' } };
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, told));
  const found = await createModels({ baseURL }).capabilities('org/model:7b');
  expectTypeOf(found).toEqualTypeOf<ModelCapabilities>();
  expect(found).toEqual(told);
  expect(recorded).toMatchObject([{ method: 'GET', path: '/capabilities/org%2Fmodel%3A7b' }]);
});

test('failures are typed', async () => {
  const { baseURL } = await startRecordingServer((response, { path }) =>
    json(response, { error: { message: 'No.', code: 'model_not_found' } }, path === '/models' ? 403 : 404),
  );
  const models = createModels({ baseURL });
  await expect(models.retrieve('none')).rejects.toBeInstanceOf(NotFoundError);
  await expect(models.retrieve('none')).rejects.toMatchObject({ code: 'model_not_found' });
  await expect(models.list()).rejects.toBeInstanceOf(PermissionError);
});
