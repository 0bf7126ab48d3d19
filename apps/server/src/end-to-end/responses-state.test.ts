import { createServer } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';
import type OpenAI from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestServer, startWithTwoProjects } from '../testing/test-server.ts';

const model = 'simulator';
const { server: served, client, other } = await startWithTwoProjects();

/** A model server that breaks its connection after the first words of a reply. Resolves to its base URL. */
async function startBreakingUpstream(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choices = [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }];
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'breaking', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => setImmediate(() => response.destroy()));
  });
  return `http://${await listenForTest(server)}/v1`;
}

const itemsOf = (id: string) => Array.fromAsync(client.responses.inputItems.list(id, { order: 'asc' }));

describe('a stored response', () => {
  test('is retrieved as it was returned, complete or streamed, with its own input items', async () => {
    const whole = await client.responses.create({ model, input: 'Hello' });
    expect(whole).toMatchObject({ store: true });
    expect(await client.responses.retrieve(whole.id)).toEqual(whole);
    expect(await itemsOf(whole.id)).toMatchObject([
      { type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_text', text: 'Hello' }] },
    ]);
    const streamed = await client.responses.stream({ model, input: 'Hello' }).finalResponse();
    const { parsed: _, ...retrieved } = { parsed: null, ...(await client.responses.retrieve(streamed.id)) };
    expect(streamed).toMatchObject({ ...retrieved, output: [{ id: retrieved.output[0]?.id }] });
  });

  test('is not stored with `store: false`', async () => {
    const response = await client.responses.create({ model, input: 'Hello', store: false });
    expect(response).toMatchObject({ store: false });
    const { id } = response;
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('lists its input items page by page, newest first by default', async () => {
    const input = ['a', 'b', 'c', 'd', 'e'].map((content) => ({ role: 'user', content }) as const);
    const { id } = await client.responses.create({ model, input });
    const ascending = await itemsOf(id);
    const page = await client.responses.inputItems.list(id, { limit: 2 });
    expect(page.data).toEqual(ascending.toReversed().slice(0, 2));
    expect(page.has_more).toBe(true);
    expect(await Array.fromAsync(client.responses.inputItems.list(id, { limit: 2 }))).toEqual(ascending.toReversed());
  });

  test('has the status failed if its stream failed after the first event, and its conversation is unchanged', async () => {
    const upstream = await startBreakingUpstream();
    const failing = await startTestServer({ upstreams: [{ baseURL: upstream }], models: { breaking: {} } });
    onTestFinished(() => failing.stop());
    const { id: conversation } = await failing.client.conversations.create({});
    const body = { model: 'breaking', input: 'Hello', conversation, stream: true } as const;
    const ids: string[] = [];
    const consume = async (): Promise<void> => {
      for await (const event of await failing.client.responses.create(body)) {
        if (event.type === 'response.created') ids.push(event.response.id);
      }
    };
    await expect(consume()).rejects.toThrow();
    const [id = ''] = ids;
    expect(await failing.client.responses.retrieve(id)).toMatchObject({
      id,
      status: 'failed',
      error: { code: 'upstream_stream_interrupted' },
      completed_at: null,
    });
    expect((await failing.client.responses.inputItems.list(id)).data).toHaveLength(1);
    expect((await failing.client.conversations.items.list(conversation)).data).toEqual([]);
  });

  test('is deleted with its items', async () => {
    const { id, output } = await client.responses.create({ model, input: 'Hello' });
    await client.responses.delete(id);
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(client.responses.delete(id)).rejects.toMatchObject({ status: 404 });
    const reference: ResponseInputItem = { type: 'item_reference', id: output[0]?.id ?? '' };
    await expect(client.responses.create({ model, input: [reference] })).rejects.toMatchObject({
      status: 404,
      param: 'input[0].id',
    });
  });
});

describe('`previous_response_id`', () => {
  test('continues with the items of all earlier turns, but without their instructions', async () => {
    const first = await client.responses.create({ model, input: 'My name is Ada.', instructions: 'Be polite.' });
    const second = await client.responses.create({ model, input: 'And mine?', previous_response_id: first.id });
    const whole = await client.responses.create({
      model,
      input: [
        { role: 'user', content: 'My name is Ada.' },
        { role: 'assistant', content: first.output_text },
        { role: 'user', content: 'And mine?' },
      ],
    });
    expect(second.usage?.input_tokens).toBe(whole.usage?.input_tokens);
    expect(second.instructions).toBeNull();
    expect(second.previous_response_id).toBe(first.id);
    expect(await itemsOf(second.id)).toHaveLength(1);
  });

  test('continues a response with a tool call, which is not sent again', async () => {
    const tools = [
      { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} }, strict: false },
    ] as const;
    const tool_choice = { type: 'function', name: 'get_weather' } as const;
    const first = await client.responses.create({ model, input: 'Weather?', tools: [...tools], tool_choice });
    const [call] = first.output;
    if (call?.type !== 'function_call') throw new Error('the model called no function');
    const output = { type: 'function_call_output', call_id: call.call_id, output: 'rain' } as const;
    const second = await client.responses.create({ model, input: [output], previous_response_id: first.id });
    expect(second.status).toBe('completed');
    expect(second.output_text).not.toBe('');
  });

  test('is refused with 400 previous_response_not_found when it is unknown, deleted, of another project or not stored', async () => {
    const stored = await client.responses.create({ model, input: 'Hello' });
    const unstored = await client.responses.create({ model, input: 'Hello', store: false });
    const deleted = await client.responses.create({ model, input: 'Hello' });
    const after = await client.responses.create({ model, input: 'Hi', previous_response_id: deleted.id });
    await client.responses.delete(deleted.id);
    const refused = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' };
    const attempts: [OpenAI, string][] = [
      [client, 'resp_none'],
      [client, unstored.id],
      [client, deleted.id],
      [client, after.id],
      [other, stored.id],
    ];
    for (const [from, previous_response_id] of attempts) {
      await expect(from.responses.create({ model, input: 'Hi', previous_response_id })).rejects.toMatchObject(refused);
    }
  });

  test('reads a chain of 100 turns in one request, and stores only the new items', async () => {
    let previous_response_id: string | undefined;
    for (let turn = 0; turn < 100; turn++) {
      const { id } = await client.responses.create({
        model,
        input: `Turn ${turn}`,
        max_output_tokens: 16,
        ...(previous_response_id !== undefined && { previous_response_id }),
      });
      previous_response_id = id;
    }
    expect(await itemsOf(previous_response_id ?? '')).toHaveLength(1);
    const chain = await served.stores
      .project('default')
      .responses.chain(previous_response_id ?? '', { maxResponses: 100, maxLength: 1_000_000 });
    expect('items' in chain && chain.items).toHaveLength(200);
  }, 60_000);
});

describe('`item_reference`', () => {
  test('refers to an item of an earlier response, with and without `type`', async () => {
    const first = await client.responses.create({ model, input: 'Hello' });
    const id = first.output[0]?.id ?? '';
    for (const reference of [{ type: 'item_reference', id }, { id }] as const) {
      const input: ResponseInputItem[] = [
        { role: 'user', content: 'Hello' },
        reference,
        { role: 'user', content: '?' },
      ];
      const second = await client.responses.create({ model, input });
      expect((await itemsOf(second.id))[1]).toEqual(first.output[0]);
    }
  });

  test('of another project is a 404 whose param is its path', async () => {
    const first = await client.responses.create({ model, input: 'Hello' });
    const input: ResponseInputItem[] = [{ type: 'item_reference', id: first.output[0]?.id ?? '' }];
    await expect(other.responses.create({ model, input })).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      param: 'input[0].id',
    });
  });
});

describe('`conversation`', () => {
  test('is continued by responses, complete or streamed, which add their input and output', async () => {
    const { id } = await client.conversations.create({ items: [{ role: 'user', content: 'My name is Ada.' }] });
    const first = await client.responses.create({ model, input: 'Hello', conversation: id });
    expect(first.conversation).toEqual({ id });
    const second = await client.responses
      .stream({ model, input: 'And now?', conversation: { id }, store: false })
      .finalResponse();
    const items = await Array.fromAsync(client.conversations.items.list(id, { order: 'asc' }));
    expect(items.map((item) => (item.type === 'message' ? item.role : item.type))).toEqual([
      'user',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(items[2]).toEqual(first.output[0]);
    expect(items[4]).toMatchObject({ id: second.output[0]?.id });
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? Infinity);
  });

  test('that does not exist or belongs to another project is a 404; together with previous_response_id it is a 400', async () => {
    const { id } = await client.conversations.create();
    const { id: previous_response_id } = await client.responses.create({ model, input: 'Hello' });
    const missing = { status: 404, code: 'not_found', param: 'conversation' };
    await expect(client.responses.create({ model, input: 'Hi', conversation: 'conv_none' })).rejects.toMatchObject(
      missing,
    );
    await expect(other.responses.create({ model, input: 'Hi', conversation: id })).rejects.toMatchObject(missing);
    await expect(
      client.responses.create({ model, input: 'Hi', conversation: id, previous_response_id }),
    ).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });
});

test('every call with the ID of a response of another project is a 404', async () => {
  const { id } = await client.responses.create({ model, input: 'secret' });
  const attempts = [
    () => other.responses.retrieve(id),
    () => other.responses.retrieve(id, { stream: true }),
    () => other.responses.inputItems.list(id),
    () => other.responses.cancel(id),
    () => other.responses.delete(id),
  ];
  for (const attempt of attempts) {
    await expect(attempt()).rejects.toMatchObject({ status: 404, code: 'not_found', param: 'response_id' });
  }
  expect((await client.responses.retrieve(id)).id).toBe(id);
});

test('a response is returned again for its idempotency key, and stored once', async () => {
  const options = { headers: { 'idempotency-key': 'response-1' } };
  const first = await client.responses.create({ model, input: 'Hello' }, options);
  const again = await client.responses.create({ model, input: 'Hello' }, options);
  expect(again).toEqual(first);
});
