import { json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

const model = { id: 'simulator', object: 'model', created: 1_767_225_600, owned_by: 'modelwire' };

const answer: Respond = (response, { path }) =>
  json(response, path === '/models' ? { object: 'list', data: [model] } : model);

test('the example of the README runs and prints the documented output', async () => {
  const { baseURL } = await startRecordingServer(answer);
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL });
  expect(stdout).toBe('simulator modelwire\n2026\n');
});
