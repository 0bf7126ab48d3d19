import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import type { EngineContext } from '@modelwire/ports';
import { chatRequest } from '@modelwire/ports/testing';
import { expect, test } from 'vitest';
import { createAiSdk } from './ai-sdk.ts';
import { callOptions } from './call-options.ts';
import { configuredModels } from './configured-model.ts';
import { createAiSdkEmbeddings } from './embeddings.ts';

const model = createAnthropic({ apiKey: 'x' })('claude-sonnet-4-5');
const embeddingModel = createGoogle({ apiKey: 'x' }).embeddingModel('gemini-embedding-001');

test('models have the ID and the provider of the AI SDK by default', () => {
  expect(createAiSdk({ models: [{ model }] }).models()).toMatchObject([
    { id: 'claude-sonnet-4-5', owned_by: 'anthropic' },
  ]);
  expect(createAiSdkEmbeddings({ models: [{ model: embeddingModel, size: 3072 }] }).models()).toMatchObject([
    { id: 'gemini-embedding-001', owned_by: 'google', size: 3072, tokens: 'refused' },
  ]);
});

test('capabilities of the options win over those of the provider', () => {
  const capabilities = {
    inputs: ['text' as const],
    parameters: { tools: 'refused' as const, seed: 'native' as const },
  };
  const [listed] = createAiSdk({ models: [{ model, capabilities }] }).models();
  expect(listed?.capabilities).toMatchObject({ inputs: ['text'], parameters: { tools: 'refused', seed: 'native' } });
});

test.each([
  ['no models', () => createAiSdk({ models: [] }), 'createAiSdk: models must be a non-empty array of models.'],
  [
    'an id twice',
    () => createAiSdk({ models: [{ model }, { model }] }),
    "createAiSdk: models[1].id 'claude-sonnet-4-5' is used twice.",
  ],
  [
    'a model of an older specification',
    () => createAiSdk({ models: [{ model: { ...model, specificationVersion: 'v2' as 'v4' } }] }),
    'createAiSdk: models[0].model implements specification v2 of the AI SDK, not v4. Update its provider package.',
  ],
  [
    'no embedding models',
    () => createAiSdkEmbeddings({ models: [] }),
    'createAiSdkEmbeddings: models must be a non-empty array of models.',
  ],
])('throws a TypeError that names the option for %s', (_, create, message) => {
  expect(create).toThrow(new TypeError(message));
});

test.each([
  ['openai.chat', ['openai']],
  ['azure.chat', ['azure', 'openai']],
  ['anthropic.messages', []],
])('%s gets the hints about its cache in the options of %j', (provider, names) => {
  const named = { ...model, provider, modelId: 'm', supportedUrls: {}, specificationVersion: 'v4' as const };
  const [configured] = configuredModels({ models: [{ model: named }] }, 0).values();
  if (!configured) throw new Error('no model is configured');
  const hints = { prompt_cache_key: 'key', prompt_cache_retention: '24h' } as const;
  const context: EngineContext = {
    requestId: 'r',
    project: 'p',
    model: configured.chatModel,
    requestBody: { model: 'm', messages: [], ...hints },
    signal: new AbortController().signal,
  };
  const { providerOptions } = callOptions(chatRequest(hints), context, configured, () => undefined);
  const expected = { promptCacheKey: 'key', promptCacheRetention: '24h' };
  expect(providerOptions).toEqual(Object.fromEntries(names.map((name) => [name, expected])));
  const { prompt_cache_key } = configured.chatModel.capabilities.parameters;
  expect(prompt_cache_key).toBe(names.length > 0 ? 'native' : 'emulated');
});
