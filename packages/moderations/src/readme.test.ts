import { json, startRecordingServer } from '@modelwire/core/testing';
import type { Respond } from '@modelwire/core/testing';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

const answer: Respond = (response, { json: body }) => {
  const { input } = body as { input: string | string[] };
  const results = [input].flat().map((text) => ({ flagged: text.includes('hate') }));
  json(response, { id: 'modr-1', model: 'omni-moderation-latest', results });
};

test('the example of the README runs and prints the documented output', async () => {
  const { baseURL } = await startRecordingServer(answer);
  const { stdout } = await runReadmeExample(import.meta.url, { baseURL });
  expect(stdout).toBe('true\nWe love rivers. false\nWe hate you. true\n');
});
