import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import type { ChatCompletionChunk } from 'openai/resources';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from './config/config-error.ts';
import { configSchema } from './config/schema.ts';
import type { Config } from './config/schema.ts';
import { createChatEngines } from './engines.ts';
import { readSettings } from './settings.ts';
import { startTestServer } from './testing/test-server.ts';
import type { TestServer } from './testing/test-server.ts';

const mock = new LLMock({ port: 0, chunkSize: 4, logLevel: 'silent' });
let served: TestServer;

beforeAll(async () => {
  mock.on(
    { userMessage: 'weather', hasToolResult: true },
    { content: 'It is 21 degrees in Paris.', usage: { input_tokens: 30, output_tokens: 8 } },
  );
  mock.on(
    { userMessage: 'weather', hasToolResult: false },
    { reasoning: 'I need the weather.', toolCalls: [{ name: 'get_weather', arguments: '{"city":"Paris"}' }] },
  );
  mock.onMessage('busy', { error: { message: 'Slow down.', type: 'rate_limit_error' }, status: 429, retryAfter: 9 });
  await mock.start();
  served = await startTestServer({
    providers: [
      {
        package: '@ai-sdk/anthropic',
        apiKey: 'their-key',
        options: { baseURL: `${mock.url}/v1` },
        models: ['claude-sonnet-4-5', { model: 'claude-haiku-4-5', id: 'small', owned_by: 'us' }],
      },
    ],
  });
});
afterAll(async () => {
  await served.stop();
  await mock.stop();
});

test('lists the models of a provider before the simulator', async () => {
  const listed = await Array.fromAsync(await served.client.models.list());
  expect(listed.slice(0, 3)).toMatchObject([
    { id: 'claude-sonnet-4-5', owned_by: 'anthropic' },
    { id: 'small', owned_by: 'us' },
    { id: 'simulator' },
  ]);
});

test('the official SDK runs tools with streamed arguments through the server and the provider package', async () => {
  const asked: string[] = [];
  const runner = served.client.chat.completions.runTools({
    model: 'claude-sonnet-4-5',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          parse: JSON.parse,
          function: ({ city }: { city: string }) => {
            asked.push(city);
            return '21 degrees';
          },
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    ],
  });
  const pieces: string[] = [];
  let finishReasons = '';
  runner.on('chunk', ({ choices }: ChatCompletionChunk) => {
    for (const { delta, finish_reason } of choices) {
      for (const call of delta.tool_calls ?? []) pieces.push(call.function?.arguments ?? '');
      if (finish_reason) finishReasons += `${finish_reason} `;
    }
  });
  expect(await runner.finalContent()).toBe('It is 21 degrees in Paris.');
  expect(asked).toEqual(['Paris']);
  expect(pieces.join('')).toBe('{"city":"Paris"}');
  expect(pieces.length).toBeGreaterThan(2);
  expect(finishReasons).toBe('tool_calls stop ');
  expect((await runner.totalUsage()).total_tokens).toBeGreaterThanOrEqual(38);
});

test('the official SDK gets a 429 of the provider with retry-after', async () => {
  const error = await served.client.chat.completions
    .create({ model: 'small', messages: [{ role: 'user', content: 'busy' }] })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  expect((error as { headers: Headers }).headers.get('retry-after')).toBe('9');
});

test('a missing provider package is a configuration error that says how to install it', async () => {
  const providers = [{ package: '@ai-sdk/not-there', models: ['m'] }];
  const settings = { ...(await readSettings('/nowhere', {})), simulator: false, providers };
  const logger = { info: () => undefined, warn: () => undefined };
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
  const guide = readFileSync(new URL('../../../docs/guides/in-front-of-a-model-server.md', import.meta.url), 'utf8');
  const yaml = /```yaml\n(# providers\.yaml\n[\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-providers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'modelwire.config.yaml'), yaml);
  const { engines } = await createChatEngines(
    await readSettings(folder, { ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' }),
    { info: () => undefined, warn: () => undefined },
  );
  expect(engines.flatMap((engine) => engine.models().map(({ id, owned_by }) => `${owned_by} ${id}`))).toEqual([
    'anthropic claude-sonnet-4-5',
    'anthropic small',
    'google gemini-2.5-flash',
  ]);
});

test('a provider has either apiKey or apiKeyEnv', () => {
  const both = { package: '@ai-sdk/mistral', apiKey: 'a', apiKeyEnv: 'A', models: ['m'] };
  expect(configSchema.safeParse({ providers: [both] }).success).toBe(false);
});
