import { collect } from '@modelwire/core/testing';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { startTestServer } from '../test/test-server.ts';
import type { TestServer } from '../test/test-server.ts';
import {
  BadRequestError,
  createCompletions,
  createConversations,
  createEmbeddings,
  createResponses,
  NotFoundError,
} from './index.ts';
import type { ModelResponse, ResponsesClient } from './index.ts';

const model = 'simulator';
let server: TestServer;
let slow: TestServer;
let responses: ResponsesClient;
beforeAll(async () => {
  server = await startTestServer();
  slow = await startTestServer(50);
  responses = createResponses(server.transport);
});
afterAll(() => Promise.all([server.close(), slow.close()]));

describe('responses of a server', () => {
  test('are created, retrieved, continued and deleted', async () => {
    const created = await responses.create({ model, input: 'Hello', temperature: 0 });
    expectTypeOf(created).toEqualTypeOf<ModelResponse>();
    expect(created.status).toBe('completed');
    expect(created.output_text).not.toBe('');
    expect(await responses.retrieve(created.id)).toEqual(created);

    const input = ['And now?', 'And then?'].map((content) => ({ role: 'user', content }) as const);
    const next = await responses.create({ model, input, previous_response_id: created.id });
    expect(next.previous_response_id).toBe(created.id);
    const items = await collect(responses.inputItems.list(next.id, { limit: 1, order: 'asc' }));
    expect(items).toMatchObject(input.map(({ content: text }) => ({ role: 'user', content: [{ text }] })));

    expect(await responses.delete(created.id)).toEqual({ id: created.id, object: 'response', deleted: true });
    await expect(responses.retrieve(created.id)).rejects.toBeInstanceOf(NotFoundError);
  });

  test('are equal when streamed, and the events accumulate to the complete response', async () => {
    const params = { model, input: 'Hello', temperature: 0 } as const;
    const stream = responses.stream(params);
    const seen: (string | undefined)[] = [];
    let text = '';
    for await (const event of stream) {
      seen.push(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (event.type === 'response.output_item.done') expect(stream.snapshot()?.output).toContainEqual(event.item);
    }
    expect(seen.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    const final = await stream.final();
    expect(final.output_text).toBe(text);
    expect(await responses.retrieve(final.id)).toEqual(final);
    expect((await responses.create(params)).output_text).toBe(text);
  });

  test('call functions', async () => {
    const tools = [
      {
        type: 'function',
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ] as const;
    const final = await responses.stream({ model, input: 'Weather in Rome?', tools, tool_choice: 'required' }).final();
    const call = final.output.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'get_weather', arguments: expect.stringContaining('city') as string });
  });

  test('that run in the background are streamed from the event after starting_after', async () => {
    const events = await collect(
      await responses.create({ model, input: 'Hello', background: true, stream: true, include: [] }),
    );
    const [first] = events;
    if (first?.type !== 'response.created') throw new Error(`the first event is ${first?.type}`);
    const { id } = first.response;
    const rest = await collect(
      await responses.retrieve(id, { stream: true, starting_after: 2, include_obfuscation: false }),
    );
    expect(rest.map(({ type }) => type)).toEqual(events.slice(3).map(({ type }) => type));

    const stream = responses.stream({ response_id: id, starting_after: 2 });
    expect((await collect(stream)).map(({ sequence_number }) => sequence_number)).toEqual(
      events.slice(3).map(({ sequence_number }) => sequence_number),
    );
    expect(await stream.final()).toEqual(await responses.retrieve(id));
  });

  test('that run in the background are cancelled', async () => {
    const client = createResponses(slow.transport);
    const stream = client.stream({ model, input: 'Tell me about rivers.', background: true });
    const { value } = await stream[Symbol.asyncIterator]().next();
    if (value?.type !== 'response.created') throw new Error(`the first event is ${value?.type}`);
    const cancelled = await client.cancel(value.response.id);
    expect(cancelled).toMatchObject({
      id: value.response.id,
      status: 'cancelled',
      output_text: expect.any(String) as string,
    });
    expect(await stream.final()).toMatchObject({ status: 'cancelled' });
  });

  test('have their input tokens counted, and are compacted', async () => {
    const { input_tokens } = await responses.inputTokens.count({ model, input: 'Hello' });
    const { id, usage } = await responses.create({ model, input: 'Hello' });
    expect(input_tokens).toBe(usage?.input_tokens);
    const { object, output } = await responses.compact({ model, previous_response_id: id });
    expect([object, output.at(-1)?.type]).toEqual(['response.compaction', 'compaction']);
  });

  test('are refused with a typed error that names the parameter', async () => {
    const wrong = responses.create({ model, input: 'Hello', temperature: 3 });
    await expect(wrong).rejects.toBeInstanceOf(BadRequestError);
    await expect(wrong).rejects.toMatchObject({ param: 'temperature' });
  });
});

test('conversations and their items are created, listed, changed and deleted', async () => {
  const conversations = createConversations(server.transport);
  const { id } = await conversations.create({ metadata: { topic: 'rivers' } });
  expect(await conversations.retrieve(id)).toMatchObject({ object: 'conversation', metadata: { topic: 'rivers' } });
  expect(await conversations.update(id, { metadata: {} })).toMatchObject({ metadata: {} });

  const added = await conversations.items.create(id, {
    items: [{ role: 'user', content: 'Hello' }],
    include: ['message.output_text.logprobs'],
  });
  const item_id = added.data[0]?.id ?? '';
  await responses.create({ model, input: 'And now?', conversation: id });
  const listed = await collect(conversations.items.list(id, { limit: 1, order: 'asc' }));
  expect(listed).toMatchObject([{ id: item_id, role: 'user' }, { role: 'user' }, { role: 'assistant' }]);
  const path = { conversation_id: id };
  expect(await conversations.items.retrieve(item_id, path)).toEqual(added.data[0]);
  expect(await conversations.items.delete(item_id, path)).toMatchObject({ id, object: 'conversation' });
  await expect(conversations.items.retrieve(item_id, path)).rejects.toBeInstanceOf(NotFoundError);
  expect(await conversations.delete(id)).toEqual({ id, object: 'conversation.deleted', deleted: true });
});

test('embeddings are numbers, the same with base64', async () => {
  const embeddings = createEmbeddings(server.transport);
  const params = { model: 'simulator-embedding', input: ['The river Danube', 'A river'], dimensions: 32 };
  const floats = await embeddings.create(params);
  expectTypeOf(floats.data[0]?.embedding).toEqualTypeOf<number[] | undefined>();
  expect(floats.data.map(({ embedding }) => embedding.length)).toEqual([32, 32]);
  const decoded = await embeddings.create({ ...params, encoding_format: 'base64' });
  expect(decoded.data.map(({ embedding }) => embedding.map(Math.fround))).toEqual(
    floats.data.map(({ embedding }) => embedding.map(Math.fround)),
  );
  expect(decoded.usage).toEqual(floats.usage);
});

test('legacy completions are created with and without streaming', async () => {
  const completions = createCompletions(server.transport);
  const params = { model, prompt: 'The river', temperature: 0, seed: 1 } as const;
  const whole = await completions.create(params);
  expect(whole).toMatchObject({ object: 'text_completion', choices: [{ index: 0 }] });
  const chunks = await collect(await completions.create({ ...params, stream: true }));
  expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(whole.choices[0]?.text);
});
