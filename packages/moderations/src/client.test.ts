import { json, startRecordingServer } from '@modelwire/core/testing';
import { expect, test } from 'vitest';
import { createModerations, RateLimitError } from './index.ts';

const moderation = { id: 'modr-1', model: 'omni-moderation-latest', results: [{ flagged: true, mood: 'blue' }] };

test('create() sends any input and returns the response unchanged', async () => {
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, moderation));
  const moderations = createModerations({ baseURL, apiKey: 'test-key' });
  expect(await moderations.create({ input: 'a' })).toEqual(moderation);
  const parts = [
    { type: 'text', text: 'a' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
  ] as const;
  const call = moderations.create({ input: parts, model: 'omni-moderation-latest' }, { headers: { 'x-a': 'b' } });
  expect((await call.withResponse()).requestId).toBe('req_2');
  expect(recorded).toMatchObject([
    { method: 'POST', path: '/moderations', json: { input: 'a' }, headers: { authorization: 'Bearer test-key' } },
    { json: { input: parts, model: 'omni-moderation-latest' }, headers: { 'x-a': 'b' } },
  ]);
});

test('an error response is a typed error', async () => {
  const { baseURL } = await startRecordingServer((response) => json(response, { error: { message: 'Slowly.' } }, 429));
  const call = createModerations({ baseURL, maxRetries: 0 }).create({ input: 'a' });
  await expect(call).rejects.toBeInstanceOf(RateLimitError);
});
