// Requests to the Responses API that clients may send by mistake or maliciously; malformed bodies are in responses.test.ts.
import { describe, expect, test } from 'vitest';
import { key, startWithTwoProjects } from '../testing/test-server.ts';

const model = 'simulator';
const { server, client, other } = await startWithTwoProjects();

interface Answer {
  readonly status: number;
  readonly code?: string | null;
  readonly param?: string | null;
}

/** A request of the first project. A `body` that is a string is sent unchanged. */
async function send(
  path: string,
  body?: object | string,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const response = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { error } = (await response.json()) as { readonly error?: Omit<Answer, 'status'> };
  return { status: response.status, ...error };
}

const create = (body: object) => send('/responses', { model, input: 'Hello', ...body });

test('a chain of responses cannot be made a cycle: IDs are those of the server, and stored responses do not change', async () => {
  const first = await client.responses.create({ model, input: 'Hello' });
  const second = await client.responses.create({ model, input: 'Hello', previous_response_id: first.id });
  expect(await create({ id: first.id, previous_response_id: second.id })).toMatchObject({ status: 400, param: 'id' });
  const change = { previous_response_id: second.id };
  expect(await send(`/responses/${first.id}`, change)).toMatchObject({ status: 405 });
  expect(await send(`/responses/${first.id}`, change, 'PATCH')).toMatchObject({ status: 405 });
  expect(await client.responses.retrieve(first.id)).toMatchObject({ previous_response_id: null });
});

test('IDs of another project are unknown wherever a request can name them', async () => {
  const { id: previous_response_id, output } = await client.responses.create({ model, input: 'Secret' });
  const conversation = await client.conversations.create({ items: [{ role: 'user', content: 'Secret' }] });
  const file = await client.files.create({ file: new File(['Secret'], 'a.txt'), purpose: 'user_data' });
  const input = [{ type: 'item_reference' as const, id: output[0]?.id ?? '' }];
  const ownConversation = await other.conversations.create({});
  const files = [{ role: 'user' as const, content: [{ type: 'input_file' as const, file_id: file.id }] }];
  const unknown: (readonly [attempt: () => Promise<unknown>, param: string])[] = [
    [() => other.responses.create({ model, input: 'Hi', previous_response_id }), 'previous_response_id'],
    [() => other.responses.create({ model, input: 'Hi', conversation: conversation.id }), 'conversation'],
    [() => other.responses.create({ model, input }), 'input[0].id'],
    [() => other.responses.create({ model, input, background: true }), 'input[0].id'],
    [() => other.responses.create({ model, input: files }), 'input[0].content[0].file_id'],
    [() => other.responses.inputTokens.count({ model, input }), 'input[0].id'],
    [() => other.responses.inputTokens.count({ model, previous_response_id }), 'previous_response_id'],
    [() => other.responses.inputTokens.count({ model, conversation: conversation.id }), 'conversation'],
    [() => other.responses.compact({ model, input }), 'input[0].id'],
    [() => other.responses.compact({ model, previous_response_id }), 'previous_response_id'],
    [() => other.conversations.create({ items: input }), 'items[0].id'],
    [() => other.conversations.items.create(ownConversation.id, { items: input }), 'items[0].id'],
    [() => other.conversations.items.list(conversation.id), 'conversation_id'],
  ];
  for (const [attempt, param] of unknown) {
    const status = param === 'previous_response_id' ? 400 : 404;
    await expect(attempt()).rejects.toMatchObject({ status, param });
  }
});

describe('`item_reference`', () => {
  test('cannot name an item of its own request', async () => {
    const input = [
      { type: 'item_reference', id: 'msg_own' },
      { role: 'user', id: 'msg_own', content: 'Hello' },
    ];
    expect(await create({ input })).toMatchObject({ status: 404, param: 'input[0].id' });
    const twice = [{ type: 'item_reference', id: 'msg_own' }, ...input.slice(1)];
    expect(await send('/conversations', { items: twice })).toMatchObject({ status: 404, param: 'items[0].id' });
  });

  test('cannot name an item that was deleted with its response or from its conversation', async () => {
    const { id, output } = await client.responses.create({ model, input: 'Hello' });
    await client.responses.delete(id);
    const conversation = await client.conversations.create({ items: [{ role: 'user', content: 'Hello' }] });
    const [item] = (await client.conversations.items.list(conversation.id)).data;
    await client.conversations.items.delete(item?.id ?? '', { conversation_id: conversation.id });
    for (const deleted of [output[0]?.id, item?.id]) {
      const input = [{ type: 'item_reference', id: deleted }];
      expect(await create({ input })).toMatchObject({ status: 404, param: 'input[0].id' });
    }
  });
});

describe('a body that is too large or too deeply nested is rejected immediately', () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  test.each([
    ['100,000 items', { input: Array(100_000).fill({ role: 'user', content: 'x' }) }, 400],
    ['100,000 references', { input: Array(100_000).fill({ type: 'item_reference', id: 'msg_1' }) }, 400],
    ['1,025 tools', { tools: Array(1025).fill({ type: 'file_search' }) }, 400],
    ['65 values of include', { include: Array(65).fill('a') }, 400],
    ['100 MB of text', { input: 'x'.repeat(100 * 1024 * 1024) }, 413],
  ])('%s', async (_, body, status) => {
    expect(await create(body)).toMatchObject({ status });
  });

  test.each([
    ['input', `{"model":"simulator","input":${nested}}`],
    ['an item of a hosted tool', `{"model":"simulator","input":[{"type":"tool_search_call","arguments":${nested}}]}`],
    [
      'a schema',
      `{"model":"simulator","input":"a","text":{"format":{"type":"json_schema","name":"a","schema":${nested}}}}`,
    ],
  ])('100,000 levels in %s', async (_, body) => {
    expect(await send('/responses', body)).toMatchObject({ status: 400, code: 'invalid_value' });
  });

  test('21 items of a conversation', async () => {
    const items = Array(21).fill({ role: 'user', content: 'x' });
    const { id } = await client.conversations.create({});
    for (const path of ['/conversations', `/conversations/${id}/items`]) {
      expect(await send(path, { items })).toMatchObject({
        status: 400,
        code: 'array_above_max_length',
        param: 'items',
      });
    }
  });
});

describe('`starting_after`', () => {
  test.each(['-1', 'NaN', '1.5', '1e999', '0x10', '', '9007199254740992'])("'%s' is a 400", async (value) => {
    expect(await send(`/responses/resp_1?stream=true&starting_after=${value}`)).toMatchObject({
      status: 400,
      param: 'starting_after',
    });
  });

  test('after the last event returns no events', async () => {
    const events = await Array.fromAsync(
      await client.responses.create({ model, input: 'Hello', background: true, stream: true }),
    );
    const last = events.at(-1);
    const id = last?.type === 'response.completed' ? last.response.id : '';
    for (const starting_after of [last?.sequence_number ?? 0, Number.MAX_SAFE_INTEGER]) {
      const rest = await client.responses.retrieve(id, { stream: true, starting_after });
      expect(await Array.fromAsync(rest)).toEqual([]);
    }
  });
});

test('a response that was deleted while it ran in the background is gone for every call', async () => {
  const { id } = await client.responses.create({ model, input: 'Hello', background: true });
  await client.responses.delete(id);
  for (const path of [`/responses/${id}`, `/responses/${id}?stream=true`, `/responses/${id}/input_items`]) {
    expect(await send(path)).toMatchObject({ status: 404, param: 'response_id' });
  }
  expect(await send(`/responses/${id}/cancel`, {})).toMatchObject({ status: 404, param: 'response_id' });
  expect(await create({ previous_response_id: id })).toMatchObject({ code: 'previous_response_not_found' });
});

test.each([
  ['17 pairs', Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, 'x'])), 'metadata'],
  ['a key of 65 characters', { ['k'.repeat(65)]: 'x' }, 'metadata'],
  ['a value of 513 characters', { k: 'x'.repeat(513) }, 'metadata.k'],
  ['a number', { k: 1 }, 'metadata.k'],
])('metadata with %s is refused in responses and conversations', async (_, metadata, param) => {
  const { id } = await client.conversations.create({});
  for (const answer of [
    await create({ metadata }),
    await send('/conversations', { metadata }),
    await send(`/conversations/${id}`, { metadata }),
  ]) {
    expect(answer).toMatchObject({ status: 400, param: expect.stringContaining(param) as string });
  }
});

test.each([
  ['metadata', '{"model":"simulator","input":"a","metadata":{"__proto__":"x"}}'],
  ['an item', '{"model":"simulator","input":[{"role":"user","content":"a","__proto__":{"role":"system"}}]}'],
  [
    'an item of a hosted tool',
    '{"model":"simulator","input":[{"type":"mcp_list_tools","server_label":"a","tools":[{"__proto__":{}}]}]}',
  ],
])('the key __proto__ in %s is refused, and names of prototypes are ordinary keys', async (_, body) => {
  expect(await send('/responses', body)).toMatchObject({ status: 400, code: 'unknown_parameter' });
  const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };
  const { id } = await client.responses.create({ model, input: 'Hello', metadata });
  expect((await client.responses.retrieve(id)).metadata).toEqual(metadata);
  expect(await create({ input: [{ type: 'constructor', id: 'a' }] })).toMatchObject({ param: 'input[0].type' });
});

test('NUL and lone surrogates in text are stored unchanged, and a lone surrogate in an ID is rejected', async () => {
  const text = 'a\0b\ud800';
  const { id } = await client.responses.create({ model, input: text, instructions: text, metadata: { k: text } });
  expect(await client.responses.retrieve(id)).toMatchObject({ instructions: text, metadata: { k: text } });
  expect((await client.responses.inputItems.list(id)).data).toMatchObject([{ content: [{ text }] }]);
  const item = { role: 'user', content: 'Hello', id: '\ud800' };
  expect(await create({ input: [item] })).toMatchObject({ status: 400, param: 'input[0].id' });
  expect(await send('/conversations', { items: [item] })).toMatchObject({ status: 400, param: 'items[0].id' });
});

test('an item whose ID cannot be part of a URL gets another one', async () => {
  const { id } = await client.conversations.create({});
  const items = [{ type: 'message', id: '..', role: 'user', content: 'Hello' }];
  expect(await send(`/conversations/${id}/items`, { items })).toMatchObject({ status: 200 });
  const [item] = (await client.conversations.items.list(id)).data;
  expect(item?.id).toMatch(/^msg_/);
});

const choices = Array.from({ length: 40 }, (_, index) => {
  const next = { $ref: `#/$defs/d${index + 1}` };
  return [`d${index}`, index === 39 ? { type: 'string' } : { anyOf: [next, next] }];
});
test.each([
  ['refers to itself', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
  ['has no end', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'], additionalProperties: false }],
  ['doubles at every level', { $defs: Object.fromEntries(choices) as object, $ref: '#/$defs/d0' }],
  [
    'is elsewhere',
    { type: 'object', properties: { a: { $ref: 'http://127.0.0.1/a' } }, required: ['a'], additionalProperties: false },
  ],
])('a schema of text.format that %s is a 400', async (_, schema) => {
  const text = { format: { type: 'json_schema', name: 'a', strict: true, schema } };
  expect(await create({ text })).toMatchObject({ status: 400, code: 'invalid_json_schema' });
});

test.each([
  ['has no end', 'lark', 'start: start'],
  ['repeats too often', 'lark', 'start: a~10000000\na: b~10000000\nb: "x"'],
  ['is too deep', 'lark', `start: ${'('.repeat(20_000)}"a"${')'.repeat(20_000)}`],
  ['imports a file', 'lark', '%import /etc/passwd\nstart: "a"'],
  ['is empty', 'lark', ''],
  ['repeats too often', 'regex', '((a{1,1000}){1,1000}){1,1000}'],
  ['is too deep', 'regex', '('.repeat(20_000) + 'a' + ')'.repeat(20_000)],
  ['looks ahead', 'regex', '(?=a)b'],
])('a grammar of a custom tool that %s is a 400 (%s)', async (_, syntax, definition) => {
  const tools = [{ type: 'custom', name: 'g', format: { type: 'grammar', syntax, definition } }];
  expect(await create({ tools, tool_choice: { type: 'custom', name: 'g' } })).toMatchObject({
    status: 400,
    code: 'invalid_grammar',
    param: 'tools[0].format.definition',
  });
});

test('stream options without a stream are accepted, and those of chat refused by name', async () => {
  expect(await create({ stream_options: { include_obfuscation: false } })).toMatchObject({ status: 200 });
  expect(await create({ stream: true, stream_options: { include_usage: true } })).toMatchObject({
    status: 400,
    param: 'stream_options.include_usage',
  });
});

describe('a list of items', () => {
  test('takes limits from 1, has at most 100 items, and refuses other limits and orders', async () => {
    const input = Array.from({ length: 102 }, () => ({ role: 'user' as const, content: 'x' }));
    const { id } = await client.responses.create({ model, input });
    const conversation = await client.conversations.create({});
    const list = (limit: number) => client.responses.inputItems.list(id, { limit });
    expect((await list(1)).data).toHaveLength(1);
    expect((await list(101)).data).toHaveLength(100);
    for (const path of [`/responses/${id}/input_items`, `/conversations/${conversation.id}/items`]) {
      for (const limit of ['0', '-1', 'abc', '1e2', '']) {
        expect(await send(`${path}?limit=${limit}`)).toMatchObject({ status: 400, param: 'limit' });
      }
      expect(await send(`${path}?order=up`)).toMatchObject({ status: 400, param: 'order' });
    }
  });

  test('does not continue after an item of another list', async () => {
    const [one, two] = [
      await client.responses.create({ model, input: 'a' }),
      await client.responses.create({ model, input: 'b' }),
    ];
    const [foreign] = (await client.responses.inputItems.list(two.id)).data;
    const conversation = await client.conversations.create({ items: [{ role: 'user', content: 'a' }] });
    const empty = await client.conversations.create({});
    const [item] = (await client.conversations.items.list(conversation.id)).data;
    const refused = { status: 400, param: 'after' };
    expect(await send(`/responses/${one.id}/input_items?after=${foreign?.id}`)).toMatchObject(refused);
    expect(await send(`/conversations/${empty.id}/items?after=${item?.id}`)).toMatchObject(refused);
    expect(await send(`/conversations/${empty.id}/items/${item?.id}`)).toMatchObject({ status: 404, param: 'item_id' });
    expect(await send(`/conversations/${empty.id}/items/${item?.id}`, undefined, 'DELETE')).toMatchObject({
      status: 404,
    });
    expect((await client.conversations.items.list(conversation.id)).data).toEqual([item]);
  });
});
