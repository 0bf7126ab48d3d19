import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const callPrompt = 'Call the tool get_weather with city "Paris"';
const description = 'Returns the current weather in a city.';
const city = z.object({ city: z.string() });
const river = z.object({ name: z.string(), kilometers: z.number().optional() });

describe("Anthropic's SDK", () => {
  const client = () => new Anthropic({ baseURL: server.url, apiKey: key, maxRetries: 0 });
  const ask = { model: 'simulator', max_tokens: 300, messages: [{ role: 'user' as const, content: 'What is 6 * 7?' }] };
  const weather = betaZodTool({
    name: 'get_weather',
    description,
    inputSchema: city,
    run: (input) => `sun in ${input.city}`,
  });
  const call = { ...ask, messages: [{ role: 'user' as const, content: callPrompt }], tools: [weather] };

  test('creates messages, with its key in either header', async () => {
    const message = await client().messages.create(ask);
    expect(message).toMatchObject({ type: 'message', stop_reason: 'end_turn' });
    expect(message.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('42') as string });
    const bearer = new Anthropic({ baseURL: server.url, authToken: key, apiKey: null });
    expect(await bearer.messages.countTokens({ model: 'simulator', messages: ask.messages })).toEqual({
      input_tokens: message.usage.input_tokens,
    });
  });

  test('accumulates a stream', async () => {
    const stream = client().messages.stream({ ...ask, stop_sequences: ['42'] });
    const texts: string[] = [];
    stream.on('text', (text) => texts.push(text));
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: texts.join('') }]);
    expect(message).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: '42' });
  });

  test.each([{ stream: false }, { stream: true }])('runs tools, with stream $stream', async ({ stream }) => {
    const message = await client()
      .beta.messages.toolRunner({ ...call, stream })
      .runUntilDone();
    expect(message.content).toMatchObject([{ type: 'text', text: expect.stringContaining('sun in Paris') as string }]);
  });

  test('parses a structured output', async () => {
    const format = zodOutputFormat(river);
    const message = await client().messages.parse({ ...ask, output_config: { format } });
    expect(river.safeParse(message.parsed_output).success).toBe(true);
  });

  test('lists and retrieves models', async () => {
    const models = await Array.fromAsync(client().models.list());
    expect(models.map(({ id }) => id)).toContain('simulator');
    expect(await client().beta.models.retrieve('simulator')).toMatchObject({
      type: 'model',
      display_name: 'simulator',
    });
  });

  test('runs batches', async () => {
    const { batches } = client().messages;
    const { id } = await batches.create({ requests: [{ custom_id: 'first', params: ask }] });
    const ended = async () => (await batches.retrieve(id)).processing_status;
    await expect.poll(ended, { timeout: 60_000, interval: 100 }).toBe('ended');
    const results = await Array.fromAsync(await batches.results(id));
    expect(results).toMatchObject([
      { custom_id: 'first', result: { type: 'succeeded', message: { role: 'assistant' } } },
    ]);
    expect((await Array.fromAsync(batches.list())).map((batch) => batch.id)).toEqual([id]);
    expect(await batches.delete(id)).toEqual({ id, type: 'message_batch_deleted' });
  });

  test('throws its own errors', async () => {
    const wrongKey = new Anthropic({ baseURL: server.url, apiKey: 'wrong', maxRetries: 0 });
    await expect(wrongKey.messages.create(ask)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const unknown = client().messages.create({ ...ask, model: 'unknown' });
    await expect(unknown).rejects.toMatchObject({ status: 404, requestID: expect.stringMatching(/^req_/) as string });
  });
});

describe("the AI SDK's provider for Anthropic", () => {
  const model = () => createAnthropic({ apiKey: key, baseURL: `${server.url}/v1` })('simulator');
  const tools = {
    get_weather: tool({ description, inputSchema: city, execute: (input) => `sun in ${input.city}` }),
  };

  test('generates text with usage', async () => {
    const { text, usage, finishReason } = await generateText({ model: model(), prompt: 'What is 6 * 7?' });
    expect(text).toContain('42');
    expect(finishReason).toBe('stop');
    expect(usage.outputTokens).toBeGreaterThan(3);
  });

  test('calls tools in a stream', async () => {
    const { text } = streamText({ model: model(), prompt: callPrompt, tools, stopWhen: isStepCount(3) });
    expect(await text).toContain('sun in Paris');
  });

  test('generates an object', async () => {
    const { output } = await generateText({
      model: model(),
      prompt: 'Describe the Rhine.',
      output: Output.object({ schema: river }),
    });
    expect(river.safeParse(output).success).toBe(true);
  });
});
