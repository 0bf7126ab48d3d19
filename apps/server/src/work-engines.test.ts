import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { moderationEnginesOf, videoEnginesOf } from './work-engines.ts';

const settings = await readSettings('/nowhere', {});
const silent = (): void => undefined;
const models = (engines: readonly { models(): readonly { readonly id: string }[] }[]) =>
  engines.map((engine) => engine.models().map(({ id }) => id));

test('by default texts are judged and videos drawn by the embedded models', () => {
  expect(models(moderationEnginesOf(settings, []))).toEqual([['omni-moderation-latest', 'omni-moderation-2024-09-26']]);
  expect(models(videoEnginesOf(settings, silent))).toEqual([['storyboard']]);
});

test('a command and another server come before the embedded model, which can be left out', () => {
  const videos = {
    command: { command: 'render', models: { mine: {} } },
    upstream: { baseURL: 'http://127.0.0.1:9/v1', models: { theirs: {} } },
  };
  expect(models(videoEnginesOf({ ...settings, videos }, silent))).toEqual([['mine'], ['theirs'], ['storyboard']]);
  expect(models(videoEnginesOf({ ...settings, videos: { ...videos, storyboard: false } }, silent))).toHaveLength(2);
  expect(videoEnginesOf({ ...settings, videos: false }, silent)).toEqual([]);
  expect(moderationEnginesOf({ ...settings, moderation: false }, [])).toEqual([]);
});

test('a judge whose model is not there yet says so to who asks, and does not keep the server from starting', async () => {
  const [judge] = moderationEnginesOf({ ...settings, moderation: { judge: { model: 'nobody' } } }, []);
  const context = { requestId: 'req_1', signal: new AbortController().signal };
  const asking = async () => judge?.moderate({ model: 'omni-moderation-latest', inputs: [] }, context);
  await expect(asking()).rejects.toMatchObject({ status: 503, code: 'overloaded' });
});
