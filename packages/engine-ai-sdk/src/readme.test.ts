import { compileFunction } from 'node:vm';
import { createAnthropic } from '@ai-sdk/anthropic';
import type { ChatCompletion } from '@modelwire/schema/types';
import { createServer } from '@modelwire/server';
import { readmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { createAiSdk } from './index.ts';
import { anthropicEvents as event } from './testing/anthropic-events.ts';
import { events, startProviderServer } from './testing/provider-server.ts';

test('the example of the README serves the model that it names', async () => {
  const provider = await startProviderServer();
  provider.respond(events(event.start, ...event.text(0, 'Hello.'), ...event.end('end_turn')));
  const example = await readmeExample(import.meta.url);
  const names = ['process', 'createAnthropic', 'createAiSdk', 'createServer'];
  const run = compileFunction(`${example.replace(/^import .*$/gm, '')}; return server;`, names) as (
    ...made: unknown[]
  ) => ReturnType<typeof createServer>;
  // The simulated provider instead of the real one.
  const atProvider = (options: object) => createAnthropic({ ...options, baseURL: `${provider.url}/v1` });
  const server = run({ env: { ANTHROPIC_API_KEY: 'key-1' } }, atProvider, createAiSdk, createServer);
  const response = await server.fetch(
    new Request('http://localhost/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'Hello' }] }),
    }),
  );
  const { model, choices } = (await response.json()) as ChatCompletion;
  expect(model).toBe('claude');
  expect(choices[0]?.message.content).toBe('Hello.');
  expect(provider.received[0]).toMatchObject({
    headers: { 'x-api-key': 'key-1' },
    body: { model: 'claude-sonnet-4-5' },
  });
  await server.close(0);
  await provider.close();
});
