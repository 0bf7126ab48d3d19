import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import { configSchema } from '../config/schema.ts';
import type { Config } from '../config/schema.ts';
import { createChatEngines } from '../engines/engines.ts';
import { readSettings } from '../config/settings.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const mock = new LLMock({ port: 0, chunkSize: 4, logLevel: 'silent' });
let server: TestServer;

beforeAll(async () => {
  mock.on(
    { userMessage: 'weather', hasToolResult: true },
    { content: 'It is 21 degrees in Paris.', usage: { input_tokens: 30, output_tokens: 8 } },
  );
  mock.on(
    { userMessage: 'weather', hasToolResult: false },
    {
      reasoning: 'I need the weather.',
      reasoningSignature: 'sig-1',
      toolCalls: [{ name: 'get_weather', arguments: '{"city":"Paris"}' }],
    },
  );
  mock.onEmbedding('river', { embedding: [0.25, -0.5] });
  mock.onMessage('busy', { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429, retryAfter: 9 });
  await mock.start();
  server = await startTestServer({
    providers: [
      {
        package: '@ai-sdk/anthropic',
        apiKey: 'their-key',
        options: { baseURL: `${mock.url}/v1` },
        models: ['claude-sonnet-4-5', { model: 'claude-haiku-4-5', id: 'small', owned_by: 'us' }],
      },
      {
        package: '@ai-sdk/google',
        apiKey: 'their-key',
        options: { baseURL: `${mock.url}/v1beta` },
        embeddingModels: [{ model: 'gemini-embedding-001', id: 'vectors' }],
      },
    ],
  });
});
afterAll(async () => {
  await server.stop();
  await mock.stop();
});

test('lists the models of a provider, without the simulator', async () => {
  const listed = await Array.fromAsync(await server.client.models.list());
  expect(listed.map(({ id, owned_by }) => `${owned_by} ${id}`)).toEqual(
    expect.arrayContaining(['anthropic claude-sonnet-4-5', 'us small', 'google vectors']),
  );
  expect(listed.map(({ id }) => id)).not.toContain('simulator');
});

test('the official SDK streams a chat with tools through the server and the provider package', async () => {
  const body = {
    model: 'claude-sonnet-4-5',
    stream_options: { include_usage: true },
    tools: [
      {
        type: 'function' as const,
        function: {
          name: 'get_weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    ],
  };
  const question = { role: 'user' as const, content: 'What is the weather in Paris?' };
  const first = server.client.chat.completions.stream({ ...body, messages: [question] });
  const pieces: string[] = [];
  first.on('chunk', ({ choices }) => {
    for (const call of choices[0]?.delta.tool_calls ?? []) pieces.push(call.function?.arguments ?? '');
  });
  const [choice] = (await first.finalChatCompletion()).choices;
  if (!choice) throw new Error('no choice');
  const { message } = choice;
  const [call] = message.tool_calls ?? [];
  expect(choice.finish_reason).toBe('tool_calls');
  expect(call).toMatchObject({ function: { name: 'get_weather', arguments: '{"city":"Paris"}' } });
  // The arguments were streamed in pieces.
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join('')).toBe('{"city":"Paris"}');
  expect(message).toMatchObject({
    provider_metadata: { provider: 'anthropic', parts: [{ type: 'reasoning', text: 'I need the weather.' }, {}] },
  });

  const result = { role: 'tool' as const, tool_call_id: call?.id ?? '', content: '21 degrees' };
  const second = server.client.chat.completions.stream({ ...body, messages: [question, message, result] });
  const { choices, usage } = await second.finalChatCompletion();
  expect(choices[0]).toMatchObject({ message: { content: 'It is 21 degrees in Paris.' }, finish_reason: 'stop' });
  expect(usage?.total_tokens).toBe(38);
});

test('the official SDK receives embeddings of a provider', async () => {
  const { data, model } = await server.client.embeddings.create({ model: 'vectors', input: 'A river.' });
  expect(model).toBe('vectors');
  expect(data).toMatchObject([{ embedding: [0.25, -0.5] }]);
});

test('the official SDK receives a 429 of the provider with retry-after', async () => {
  const error = await server.client.chat.completions
    .create({ model: 'small', messages: [{ role: 'user', content: 'busy' }] })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  expect((error as { headers: Headers }).headers.get('retry-after')).toBe('9');
});

test('a missing provider package is a configuration error that says how to install it', async () => {
  const providers = [{ package: '@ai-sdk/not-there', models: ['m'] }];
  const settings = { ...(await readSettings('/nowhere', {})), simulator: false, providers };
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined };
  await expect(createChatEngines(settings, logger)).rejects.toThrow(
    new ConfigError(
      'providers: The package @ai-sdk/not-there is not installed. Install it: npm install @ai-sdk/not-there',
    ),
  );
});

test('a missing key is a configuration error that names its variable', async () => {
  const config: Config = { providers: [{ package: '@ai-sdk/mistral', apiKeyEnv: 'MISTRAL_KEY', models: ['m'] }] };
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-providers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'modelwire.config.json'), JSON.stringify(config));
  await expect(readSettings(folder, {})).rejects.toThrow(
    'providers: the environment variable MISTRAL_KEY (apiKeyEnv of @ai-sdk/mistral) is not set',
  );
  const { providers } = await readSettings(folder, { MISTRAL_KEY: 'k' });
  expect(providers).toEqual([{ package: '@ai-sdk/mistral', apiKey: 'k', models: ['m'] }]);
});

test('the configuration of the guide serves Anthropic and Gemini', async () => {
  const guideText = readFileSync(
    new URL('../../../../docs/guides/in-front-of-a-model-server.md', import.meta.url),
    'utf8',
  );
  const yaml = /```yaml\n(# providers\.yaml\n[\s\S]*?)```/.exec(guideText)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-providers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'modelwire.config.yaml'), yaml);
  const { engines } = await createChatEngines(
    await readSettings(folder, { ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' }),
    { debug: () => undefined, info: () => undefined, warn: () => undefined },
  );
  expect(engines.flatMap((engine) => engine.models().map(({ id, owned_by }) => `${owned_by} ${id}`))).toEqual([
    'anthropic claude-sonnet-4-5',
    'anthropic small',
    'google gemini-2.5-flash',
  ]);
});

test('a provider has either apiKey or apiKeyEnv, and models', () => {
  expect(configSchema.safeParse({ providers: [{ package: '@ai-sdk/mistral' }] }).success).toBe(false);
  const both = { package: '@ai-sdk/mistral', apiKey: 'a', apiKeyEnv: 'A', models: ['m'] };
  expect(configSchema.safeParse({ providers: [both] }).success).toBe(false);
});
