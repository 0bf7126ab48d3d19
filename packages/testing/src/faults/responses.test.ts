import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../index.ts';
import type { Fault, SimpleFault } from '../index.ts';

const reply = 'one two three';

describe.each(['port', 'fetch'] as const)('faults of responses with %s', (way) => {
  async function withFaults(...faults: (Fault | SimpleFault)[]) {
    const server = await startTestServer({ replies: reply, faults, ...(way === 'fetch' && { port: false }) });
    onTestFinished(() => server.close());
    const { baseURL, apiKey } = server;
    const own = way === 'fetch' ? { fetch: server.fetch } : {};
    return { server, client: new OpenAI({ baseURL, apiKey, maxRetries: 0, ...own }) };
  }

  /** The types of the events until the stream ends or fails. */
  async function streamed(client: OpenAI): Promise<{ types: string[]; error: unknown }> {
    const types: string[] = [];
    try {
      const stream = await client.responses.create({ model: 'm', input: 'Hello', stream: true });
      for await (const { type } of stream) types.push(type.replace('response.', ''));
      return { types, error: undefined };
    } catch (error) {
      return { types, error };
    }
  }

  test('a truncated stream ends before response.completed', async () => {
    const { client } = await withFaults('truncated');
    const { types, error } = await streamed(client);
    expect([types.at(-1), error]).toEqual(['output_item.done', undefined]);
    expect((await streamed(client)).types.at(-1)).toBe('completed');
  });

  test('a malformed frame is one event whose JSON is cut', async () => {
    const { client } = await withFaults({ fault: 'malformed-frame', atChunk: 3 });
    const { types, error } = await streamed(client);
    expect(types).toEqual(['created', 'in_progress']);
    expect(error).toBeInstanceOf(SyntaxError);
  });

  test.each(['drop', 'reset'] as const)('a %s after five events is an error after those', async (fault) => {
    const { client } = await withFaults({ fault, afterChunks: 5 });
    const { types, error } = await streamed(client);
    expect(types).toHaveLength(5);
    expect(error).toBeInstanceOf(Error);
  });

  test('token-pace applies to streams only, and uses its fault there', async () => {
    const { server, client } = await withFaults({ fault: 'token-pace', ms: 1 });
    expect((await client.responses.create({ model: 'm', input: 'Hello' })).output_text).toBe(reply);
    expect(() => server.assertAllUsed()).toThrow('token-pace');
    expect((await streamed(client)).types.at(-1)).toBe('completed');
    server.assertAllUsed();
  });

  test('conditions match the model, instructions, last message, tools and format of a response', async () => {
    const { client } = await withFaults({
      fault: 'server-error',
      times: 'always',
      when: { model: 'fragile', system: 'Be brief.', message: 'rain', tool: 'weather', turn: 2, format: 'json_object' },
    });
    const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
      model: 'fragile',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: [{ type: 'input_text', text: 'Will it rain? JSON, please.' }] },
      ],
      tools: [{ type: 'function', name: 'weather', parameters: {}, strict: false }],
      text: { format: { type: 'json_object' } },
    };
    await expect(client.responses.create(body)).rejects.toMatchObject({ status: 500 });
    for (const change of [
      { model: 'm' },
      { instructions: 'Be kind.' },
      { input: 'rain, JSON' },
      { tools: [] },
      { text: {} },
    ]) {
      await expect(client.responses.create({ ...body, ...change })).resolves.toBeDefined();
    }
  });

  test('a resumed background stream can be interrupted too', async () => {
    const { client } = await withFaults({ fault: 'truncated', when: { method: 'GET' } });
    const created = await client.responses.create({ model: 'm', input: 'Hello', background: true, stream: true });
    let id = '';
    for await (const event of created) if (event.type === 'response.created') id = event.response.id;
    const read = async () =>
      (await Array.fromAsync(await client.responses.retrieve(id, { stream: true }))).at(-1)?.type;
    expect(await read()).toBe('response.output_item.done');
    expect(await read()).toBe('response.completed');
  });
});
