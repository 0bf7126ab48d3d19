import { createOpenAI } from '@ai-sdk/openai';
import { Output, generateText, stepCountIs, streamText, tool } from 'ai';
import type { ModelMessage } from 'ai';
import type OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createBatch } from '../testing/batch-input.ts';
import { key, startWithTwoProjects } from '../testing/test-server.ts';

const { server, client, other } = await startWithTwoProjects();

const model = 'simulator';
const weather = zodResponsesFunction({
  name: 'get_weather',
  description: 'Returns the current weather in a city.',
  parameters: z.object({ city: z.string() }),
});

function post(body: unknown, apiKey = key): Promise<Response> {
  return fetch(`${server.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The number of prompt tokens shows how much of a conversation the model received. */
const inputTokens = ({ usage }: OpenAI.Responses.Response): number => usage?.input_tokens ?? 0;

describe('the official client', () => {
  test('creates a response that can be retrieved, complete or streamed', async () => {
    const created = await client.responses.create({ model, input: 'Hello', temperature: 0 });
    expect(created.status).toBe('completed');
    expect(await client.responses.retrieve(created.id)).toMatchObject({ id: created.id, output: created.output });
    const streamed = await client.responses.stream({ model, input: 'Hello', temperature: 0 }).finalResponse();
    expect(streamed.output_text).toBe(created.output_text);
    expect(await client.responses.retrieve(streamed.id)).toMatchObject({
      output: [{ id: streamed.output[0]?.id, content: [{ text: created.output_text }] }],
    });
  });

  test('continues a chain: each turn includes all previous turns', async () => {
    const first = await client.responses.create({ model, input: 'My name is Ada.' });
    const second = await client.responses.create({ model, input: 'Hello', previous_response_id: first.id });
    const third = await client.responses
      .stream({ model, input: 'Hello', previous_response_id: second.id })
      .finalResponse();
    expect(third.previous_response_id).toBe(second.id);
    expect(inputTokens(second)).toBeGreaterThan(inputTokens(first));
    expect(inputTokens(third)).toBeGreaterThan(inputTokens(second));
  });

  test('answers a stored call without sending it again', async () => {
    const first = await client.responses.create({
      model,
      input: 'What is the weather in Paris?',
      tools: [weather],
      tool_choice: 'required',
    });
    const call = first.output.find((item) => item.type === 'function_call');
    if (!call) throw new Error('the model called no function');
    const output = { type: 'function_call_output' as const, call_id: call.call_id, output: 'Rain' };
    const second = await client.responses.create({ model, input: [output], previous_response_id: first.id });
    expect(second.output_text).not.toBe('');
    await expect(
      client.responses.create({ model, input: 'And now?', previous_response_id: first.id }),
    ).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });

  test('adds input and output of each response to a conversation', async () => {
    const { id } = await client.conversations.create({ items: [{ role: 'user', content: 'My name is Ada.' }] });
    const response = await client.responses.create({ model, input: 'Hello', conversation: id });
    expect(response.conversation).toEqual({ id });
    const items = await Array.fromAsync(client.conversations.items.list(id, { order: 'asc' }));
    expect(items).toMatchObject([
      { role: 'user', content: [{ text: 'My name is Ada.' }] },
      { role: 'user', content: [{ text: 'Hello' }] },
      { role: 'assistant', content: [{ text: response.output_text }] },
    ]);
  });

  test('parses structured output', async () => {
    const { output_parsed } = await client.responses.parse({
      model,
      input: 'Describe the river Rhine.',
      text: { format: zodTextFormat(z.object({ name: z.string() }), 'river') },
    });
    expect(output_parsed).toEqual({ name: expect.any(String) as string });
  });

  test('stores nothing with store: false', async () => {
    const { id } = await client.responses.create({ model, input: 'Hello', store: false });
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.create({ model, input: 'Hello', previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    });
  });

  test('receives the stored response again for the same idempotency key', async () => {
    const init = { headers: { 'idempotency-key': 'responses-1' } };
    const first = await client.responses.create({ model, input: 'Hello' }, init);
    expect((await client.responses.create({ model, input: 'Hello' }, init)).id).toBe(first.id);
  });
});

describe("Vercel's AI SDK with its default model, which uses the Responses API", () => {
  const sent: string[] = [];
  const openai = () =>
    createOpenAI({
      apiKey: key,
      baseURL: `${server.url}/v1`,
      fetch: (input, init) => {
        sent.push(typeof init?.body === 'string' ? init.body : '');
        return fetch(input, init);
      },
    })(model);

  test('refers to stored items in its second turn', async () => {
    const question: ModelMessage = { role: 'user', content: 'Hello' };
    const first = await generateText({ model: openai(), messages: [question] });
    const messages: ModelMessage[] = [question, ...first.response.messages, { role: 'user', content: 'And again?' }];
    const second = await generateText({ model: openai(), messages });
    expect(sent.at(-1)).toContain('item_reference');
    expect(second.text).not.toBe('');
  });

  test('streams text, and runs a loop of tools', async () => {
    const { textStream } = streamText({ model: openai(), prompt: 'Hello' });
    expect((await Array.fromAsync(textStream)).join('')).not.toBe('');
    const requestedCities: string[] = [];
    const { text, steps } = await generateText({
      model: openai(),
      prompt: 'What is the weather in Paris?',
      stopWhen: stepCountIs(3),
      tools: {
        get_weather: tool({
          description: 'Returns the current weather in a city.',
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => {
            requestedCities.push(city);
            return `Rain in ${city}`;
          },
        }),
      },
    });
    expect(requestedCities.length).toBeGreaterThan(0);
    expect(steps.length).toBe(2);
    expect(text).toContain('Rain');
  });

  test('returns structured output, complete and streamed', async () => {
    const schema = z.object({ name: z.string(), population: z.number() });
    const request = { model: openai(), prompt: 'Describe Paris', output: Output.object({ schema }) };
    expect(schema.parse((await generateText(request)).output)).toBeDefined();
    expect(schema.parse(await streamText(request).output)).toBeDefined();
    expect(sent.at(-1)).toContain('json_schema');
  });
});

test('runs as a batch, with the usage of all lines', async () => {
  const line = (custom_id: string, body: object) => ({
    ...{ custom_id, method: 'POST', url: '/v1/responses' },
    body: { model, ...body },
  });
  const lines = [line('a', { input: 'Hello' }), line('b', { input: 'What is 6 * 7?' }), line('c', { input: 1 })];
  const { id } = await createBatch(client, lines, '/v1/responses');
  await expect.poll(async () => (await client.batches.retrieve(id)).status, { timeout: 60_000 }).toBe('completed');
  const batch = await client.batches.retrieve(id);
  const text = await (await client.files.content(batch.output_file_id ?? '')).text();
  const bodies = text
    .trim()
    .split('\n')
    .map((each) => (JSON.parse(each) as { response: { body: OpenAI.Responses.Response } }).response.body);
  expect(bodies.map(({ object, status }) => [object, status])).toEqual([
    ['response', 'completed'],
    ['response', 'completed'],
  ]);
  expect(batch.request_counts).toEqual({ total: 3, completed: 2, failed: 1 });
  expect(batch.usage?.total_tokens).toBe(bodies.reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0));
});

describe('hostile input', () => {
  test("another project's responses, items and conversations do not exist", async () => {
    const response = await client.responses.create({ model, input: 'Secret' });
    const conversation = await client.conversations.create({});
    const item = { type: 'item_reference' as const, id: response.output[0]?.id ?? '' };
    await expect(
      other.responses.create({ model, input: 'Hello', previous_response_id: response.id }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
    await expect(other.responses.create({ model, input: [item] })).rejects.toMatchObject({ status: 404 });
    await expect(
      other.responses.create({ model, input: 'Hello', conversation: conversation.id }),
    ).rejects.toMatchObject({ status: 404, param: 'conversation' });
  });

  test.each([
    ['a number as input', { input: 1 }, 'input'],
    ['an item that is no object', { input: [1] }, 'input[0]'],
    ['an unknown type of item', { input: [{ type: 'nothing' }] }, 'input[0].type'],
    ['an unknown role', { input: [{ role: 'king', content: 'Hello' }] }, 'input[0].role'],
    ['no input', { input: undefined }, 'input'],
    ['no items', { input: [] }, 'input'],
    ['only reasoning', { input: [{ type: 'reasoning', summary: [] }] }, 'input'],
    [
      'an output without a call',
      { input: [{ type: 'function_call_output', call_id: 'a', output: '' }] },
      'input[0].call_id',
    ],
    [
      'an output before its call',
      {
        input: [
          { type: 'function_call_output', call_id: 'a', output: '' },
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        ],
      },
      'input[0].call_id',
    ],
    [
      'a call without an output',
      { input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }] },
      'input[0]',
    ],
    [
      'two open calls with one id',
      {
        input: [
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        ],
      },
      'input[1].call_id',
    ],
    [
      'two outputs of one call',
      {
        input: [
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'a', output: '' },
          { type: 'function_call_output', call_id: 'a', output: '' },
        ],
      },
      'input[2].call_id',
    ],
    [
      'the output of another kind of tool',
      {
        input: [
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
          { type: 'custom_tool_call_output', call_id: 'a', output: '' },
        ],
      },
      'input[1].call_id',
    ],
    [
      'an image with two sources',
      {
        input: [
          { role: 'user', content: [{ type: 'input_image', image_url: 'https://a.b/c.png', file_id: 'file-1' }] },
        ],
      },
      'input[0].content[0]',
    ],
    [
      'a file to download',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'http://127.0.0.1/' }] }] },
      'input[0].content[0].file_url',
    ],
    ['a chain and a conversation', { previous_response_id: 'resp_1', conversation: 'conv_1' }, 'previous_response_id'],
    ['a stored prompt', { prompt: { id: 'pmpt_1' } }, 'prompt'],
    ['too few output tokens', { max_output_tokens: 1 }, 'max_output_tokens'],
    ['a choice that names no tool', { tool_choice: { type: 'function', name: 'f' } }, 'tool_choice'],
    [
      'two tools with one name',
      {
        tools: [
          { type: 'function', name: 'f' },
          { type: 'function', name: 'f' },
        ],
      },
      'tools[1].name',
    ],
    [
      'a wrong name in a namespace',
      { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'ü' }] }] },
      'tools[0].tools[0].name',
    ],
    [
      'a schema without end',
      { text: { format: { type: 'json_schema', name: 'a', schema: { $ref: '#' } } } },
      'text.format.schema',
    ],
    ['an id with 100,000 characters', { previous_response_id: 'a'.repeat(100_000) }, 'previous_response_id'],
  ])('%s is a 400 that names the field', async (_, body, param) => {
    const response = await post({ model, input: 'Hello', ...body });
    const { error } = (await response.json()) as { error: { param: string; code: string; message: string } };
    expect([response.status, error.param]).toEqual([400, param]);
    expect(error.message.length).toBeLessThan(1000);
  });

  test('a list of 10,001 items is refused, and one of 10,000 answered', async () => {
    const items = Array.from({ length: 10_001 }, (_, index) => ({ role: 'user', content: String(index) }));
    const refused = await post({ model, input: items });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'input' } }]);
    expect((await post({ model, input: items.slice(1), store: false })).status).toBe(200);
  });

  test('many references to one item are limited by the size of a request', async () => {
    const { output } = await client.responses.create({ model, input: 'x'.repeat(5_000_000), max_output_tokens: 16 });
    const own = await client.responses.inputItems.list(
      (await client.responses.create({ model, input: 'y'.repeat(5_000_000) })).id,
    );
    const reference = { type: 'item_reference', id: own.data[0]?.id };
    expect(output).toHaveLength(1);
    const response = await post({ model, input: Array.from({ length: 20 }, () => reference) });
    expect(response.status).toBe(413);
  });
});
