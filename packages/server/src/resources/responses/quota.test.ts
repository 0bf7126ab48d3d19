import { expect, test } from 'vitest';
import { listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

test('a response to be stored is refused by the policy before the storage quota, and by the quota before its engine', async () => {
  const { stores, blobs } = memoryWork();
  const limits = { requestsPerMinute: null, tokensPerMinute: null, maxOutputTokens: null, storageLimitBytes: 0 };
  const project = { id: 'default', name: 'Full', created: 1, archived: null, allowedModels: ['scripted'] };
  await stores.keys.addProject({ ...project, ...limits });
  const engines = [scriptedEngine(() => says('Hi')), scriptedEngine(() => says('Hi'), { id: 'forbidden' })];
  const { postTo } = await listen({ engines, stores, blobs });
  const post = (body: object) => postTo('/responses', { model: 'scripted', input: 'Hello', ...body });
  const refused = (code: string) => ({ status: 403, error: { code } });
  expect(await post({ model: 'forbidden' })).toMatchObject(refused('model_not_allowed'));
  expect(await post({})).toMatchObject(refused('storage_quota_exceeded'));
  expect(await post({ background: true })).toMatchObject(refused('storage_quota_exceeded'));
  expect(engines.map(({ asked }) => asked)).toEqual([[], []]);
  expect(await post({ store: false })).toMatchObject({ status: 'completed' });
});
