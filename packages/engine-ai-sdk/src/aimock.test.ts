import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveAiSdk, textOf } from './testing/serve.ts';
import type { ServedEngine } from './testing/serve.ts';

const mock = new LLMock({ port: 0, chunkSize: 4, logLevel: 'silent' });
const served = new Map<string, ServedEngine>();
const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

beforeAll(async () => {
  mock.onMessage('hello', { content: 'Hello from the other side.', usage: { input_tokens: 12, output_tokens: 7 } });
  mock.onMessage('weather', {
    toolCalls: [
      { name: 'get_weather', arguments: '{"city":"Paris"}' },
      { name: 'get_weather', arguments: '{"city":"Rome"}' },
    ],
  });
  mock.onMessage('long', { content: 'This is cut', finishReason: 'length' });
  mock.onMessage('busy', {
    error: { message: 'Slow down.', type: 'RESOURCE_EXHAUSTED' },
    status: 429,
    retryAfter: 7,
  });
  mock.onMessage('overloaded', { error: { message: 'Overloaded', type: 'overloaded_error' }, status: 529 });
  await mock.start();
  const anthropic = createAnthropic({ baseURL: `${mock.url}/v1`, apiKey: 'x' });
  const google = createGoogle({ baseURL: `${mock.url}/v1beta`, apiKey: 'x' });
  served.set('Anthropic', serveAiSdk({ models: [{ model: anthropic('claude-sonnet-4-5') }] }));
  served.set('Gemini', serveAiSdk({ models: [{ model: google('gemini-2.5-flash') }] }));
});
afterAll(async () => {
  for (const { close } of served.values()) await close();
  await mock.stop();
});

const user = (content: string) => ({ messages: [{ role: 'user', content }] });

describe.each(['Anthropic', 'Gemini'])('%s', (name) => {
  const engine = (): ServedEngine => {
    const found = served.get(name);
    if (!found) throw new Error(`no engine for ${name}`);
    return found;
  };

  test('returns a completion with usage', async () => {
    const { choices, usage } = await engine().complete(user('hello'));
    expect(choices[0]).toMatchObject({ message: { content: 'Hello from the other side.' }, finish_reason: 'stop' });
    expect(usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 });
  });

  test('streams the text in pieces, with usage at the end', async () => {
    const chunks = await engine().stream({ ...user('hello'), stream_options: { include_usage: true } });
    expect(textOf(chunks)).toBe('Hello from the other side.');
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: 19 });
  });

  test('returns tool calls and takes their results', async () => {
    const { choices } = await engine().complete({ ...user('weather'), tools: [weather] });
    const message = choices[0]?.message;
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(message?.tool_calls).toMatchObject([
      { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
      { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
    ]);
    const results = message?.tool_calls?.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '21' })) ?? [];
    const messages = [...user('weather').messages, message, ...results, { role: 'user', content: 'hello' }];
    const next = await engine().complete({ messages, tools: [weather] });
    expect(next.choices[0]?.message.content).toBe('Hello from the other side.');
  });

  test('streams tool calls by index', async () => {
    const chunks = await engine().stream({ ...user('weather'), tools: [weather] });
    const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(new Set(pieces.map(({ index }) => index))).toEqual(new Set([0, 1]));
    const written = pieces.flatMap((piece) => (piece.index === 1 ? [piece.function?.arguments ?? ''] : []));
    expect(written.join('')).toBe('{"city":"Rome"}');
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason).find(Boolean)).toBe('tool_calls');
  });

  test('reports a reply that was cut at the token limit', async () => {
    const { choices } = await engine().complete(user('long'));
    expect(choices[0]).toMatchObject({ message: { content: 'This is cut' }, finish_reason: 'length' });
  });

  test('returns 429 with retry-after and the reason of the provider', async () => {
    const refused = await engine().refused(user('busy'));
    expect(refused).toMatchObject({ status: 429, code: 'rate_limit_exceeded', message: 'Slow down.' });
    expect(refused.headers.get('retry-after')).toBe('7');
  });

  test('returns 503 for a provider that is overloaded (529)', async () => {
    expect(await engine().refused(user('overloaded'))).toMatchObject({
      status: 503,
      code: 'upstream_error',
      message: 'Overloaded',
    });
  });
});
