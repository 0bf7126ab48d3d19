import { createCircuitBreakers } from '@modelwire/engine-upstream';
import { capabilities } from '@modelwire/ports';
import type { ChatEngine } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { readSettings } from '../config/settings.ts';
import {
  createModerationEngines,
  createVideoEngines,
  unjudgedCategories,
  unmoderatedCategories,
} from './moderation-and-video-engines.ts';

const settings = await readSettings('/nowhere', {});
const breakers = createCircuitBreakers();
const silent = (): void => undefined;
const models = (engines: readonly { models(): readonly { readonly id: string }[] }[]) =>
  engines.map((engine) => engine.models().map(({ id }) => id));

test('uses the embedded moderation and video models by default', async () => {
  expect(models(await createModerationEngines(settings, [], breakers))).toEqual([
    ['omni-moderation-latest', 'omni-moderation-2024-09-26'],
  ]);
  expect(models(await createVideoEngines(settings, breakers, silent))).toEqual([['storyboard']]);
});

test('puts a command and an upstream before the embedded model, which can be disabled', async () => {
  const videos = {
    command: { command: 'render', models: { mine: {} } },
    upstream: { baseURL: 'http://127.0.0.1:9/v1', models: { theirs: {} } },
  };
  expect(models(await createVideoEngines({ ...settings, videos }, breakers, silent))).toEqual([
    ['mine'],
    ['theirs'],
    ['storyboard'],
  ]);
  expect(
    models(await createVideoEngines({ ...settings, videos: { ...videos, storyboard: false } }, breakers, silent)),
  ).toHaveLength(2);
  expect(await createVideoEngines({ ...settings, videos: false }, breakers, silent)).toEqual([]);
  expect(await createModerationEngines({ ...settings, moderation: false }, [], breakers)).toEqual([]);
});

test('a command of ffmpeg that does not run is an error of the configuration', async () => {
  const videos = { ffmpeg: '/no/such/ffmpeg' };
  await expect(createVideoEngines({ ...settings, videos }, breakers, silent)).rejects.toThrow(
    "videos.ffmpeg: '/no/such/ffmpeg' does not run: spawn /no/such/ffmpeg ENOENT",
  );
});

test('a judge asks a guard model in the configured preset', async () => {
  const chat: ChatEngine = {
    name: 'guards',
    models: () => [{ id: 'mine', created: 1, owned_by: 'tests', capabilities: capabilities() }],
    generate: () => [
      { type: 'text', choice: 0, text: '\n\nunsafe\nS10' },
      { type: 'finish', choice: 0, reason: 'stop' },
    ],
  };
  const moderation = { judge: { model: 'mine', preset: 'llama-guard-3' } } as const;
  const [judge] = await createModerationEngines({ ...settings, moderation }, [chat], breakers);
  const inputs = [[{ type: 'text', text: 'a' }]] as const;
  const context = { requestId: 'req_1', signal: new AbortController().signal };
  const [verdict] = (await judge?.moderate({ model: 'omni-moderation-latest', inputs }, context)) ?? [];
  expect(verdict).toMatchObject({ hate: { flagged: true }, violence: { flagged: false } });
  expect(verdict).not.toHaveProperty('harassment');
});

test('a judge whose model is not available yet returns 503 overloaded', async () => {
  const [judge] = await createModerationEngines(
    { ...settings, moderation: { judge: { model: 'nobody' } } },
    [],
    breakers,
  );
  const context = { requestId: 'req_1', signal: new AbortController().signal };
  const asking = async () => judge?.moderate({ model: 'omni-moderation-latest', inputs: [] }, context);
  await expect(asking()).rejects.toMatchObject({ status: 503, code: 'overloaded' });
});

test('tells which categories the default model, and the one of `moderate`, do not judge', async () => {
  const engines = await createModerationEngines({ ...settings, moderation: { images: true } }, [], breakers);
  const unjudged = unjudgedCategories(engines);
  expect(unjudged).toContain('violence');
  expect(unjudged).not.toContain('self-harm');
  expect(unmoderatedCategories(settings, engines)).toEqual([]);
  expect(unmoderatedCategories({ ...settings, moderate: 'both' }, engines)).toEqual(unjudged);
  const moderate = { of: 'input', model: 'omni-moderation-2024-09-26' } as const;
  expect(unmoderatedCategories({ ...settings, moderate }, engines)).toEqual(unjudged);
  const all = { name: 'all', models: () => [], moderate: () => Promise.resolve([]) };
  expect(unmoderatedCategories({ ...settings, moderate: 'both' }, [all])).toEqual([]);
});
