// What users of other servers reported most often as broken. The title or a comment of each test names the affected clients.
import { expect, test } from 'vitest';
import { listen } from '../../testing/listen.ts';
import {
  eventsOf,
  finish,
  postResponse,
  refusalOf,
  text,
  toolCall,
  toolInput,
  withTools,
} from '../../testing/responses.ts';
import { says, scriptedEngine, slowly } from '../../testing/scripted-engine.ts';

const ask = { model: 'scripted', input: 'Hello' };
const look = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } };

test('a default client of /v1/responses gets a response', async () => {
  const { client } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  expect((await client.responses.create(ask)).output_text).toBe('Hi');
});

test.each([
  ['file_search', { type: 'file_search', vector_store_ids: ['vs_1'] }],
  ['mcp', { type: 'mcp', server_label: 'docs', server_url: 'https://example.com' }],
  ['image_generation', { type: 'image_generation', output_format: 'png' }],
  ['local_shell', { type: 'local_shell' }],
  ['web_search', { type: 'web_search', external_web_access: false }],
  ['shell', { type: 'shell' }],
  ['programmatic_tool_calling', { type: 'programmatic_tool_calling' }],
])('a request that lists %s runs without it, and a header and the log name it', async (type, tool) => {
  const engine = scriptedEngine(() => says('Hi'), withTools);
  const logged: unknown[] = [];
  const { url } = await listen({ engines: [engine], log: (entry) => logged.push(entry.unsupportedTools) });
  const response = await postResponse(url, { ...ask, tools: [tool, look], tool_choice: 'auto' });
  expect([response.status, response.headers.get('x-modelwire-unsupported-tools')]).toEqual([200, type]);
  expect(engine.asked[0]?.request.tools).toMatchObject([{ function: { name: 'look' } }]);
  expect(await response.json()).toMatchObject({ tools: [{ name: 'look' }] });
  expect(logged).toEqual([[type]]);
});

test('a tool of a type that the API does not have is refused by name', async () => {
  const engine = scriptedEngine(() => says('Hi'), withTools);
  const { url } = await listen({ engines: [engine] });
  const refusal = await refusalOf(await postResponse(url, { ...ask, tools: [look, { type: 'teleport' }] }));
  expect(refusal).toMatchObject({ param: 'tools[1].type', code: 'invalid_value' });
  expect(refusal.message).toContain("'teleport'");
  expect(engine.asked).toEqual([]);
});

test('a request whose only tools are hosted ones runs without tools', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const response = await postResponse(url, { ...ask, tools: [{ type: 'file_search' }], parallel_tool_calls: true });
  expect(response.status).toBe(200);
});

test.each([
  [{ type: 'file_search' }, 'tool_choice'],
  [{ type: 'mcp', server_label: 'docs' }, 'tool_choice'],
  [{ type: 'mcp', server_label: 'docs', name: 'search' }, 'tool_choice'],
  [{ type: 'allowed_tools', mode: 'required', tools: [{ type: 'file_search' }] }, 'tool_choice.tools[0]'],
])('a choice that forces a tool which does not run here is a 400 that names it: %j', async (tool_choice, param) => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'), withTools)] });
  const tools = [{ type: 'file_search' }, { type: 'mcp', server_label: 'docs' }, look];
  const refusal = await refusalOf(await postResponse(url, { ...ask, tools, tool_choice }));
  expect(refusal).toMatchObject({ status: 400, code: 'unsupported_value', param });
  expect(refusal.message).toMatch(/file_search|mcp/);
});

test('required with hosted tools alone is a 400 that names one', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const body = { ...ask, tools: [{ type: 'file_search' }], tool_choice: 'required' };
  const refusal = await refusalOf(await postResponse(url, body));
  expect(refusal).toMatchObject({ status: 400, param: 'tool_choice' });
  expect(refusal.message).toContain("'file_search'");
});

test("with hostedTools: 'refuse' a hosted tool is a 400 that names it", async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'), withTools)], hostedTools: 'refuse' });
  const refusal = await refusalOf(await postResponse(url, { ...ask, tools: [look, { type: 'file_search' }] }));
  expect(refusal).toMatchObject({ status: 400, code: 'unsupported_value', param: 'tools[1].type' });
  expect(refusal.message).toContain("'file_search'");
});

test('tools of a namespace are called by their own name, and their calls carry the namespace', async () => {
  const engine = scriptedEngine(() => [toolCall(0, 'crm__find'), toolInput(0, '{}'), finish('tool_calls')], withTools);
  const { url } = await listen({ engines: [engine] });
  const tools = [{ type: 'namespace', name: 'crm', description: 'Customers.', tools: [{ ...look, name: 'find' }] }];
  const response = (await (await postResponse(url, { ...ask, tools })).json()) as { output: object[] };
  expect(engine.asked[0]?.request.tools).toMatchObject([{ function: { name: 'crm__find' } }]);
  expect(response.output).toMatchObject([{ type: 'function_call', name: 'find', namespace: 'crm' }]);
  const itemsWithResult = [...response.output, { type: 'function_call_output', call_id: 'call_0', output: 'Ada' }];
  await postResponse(url, { ...ask, tools, input: [{ role: 'user', content: 'Who?' }, ...itemsWithResult] });
  expect(engine.asked[1]?.request.messages.slice(1)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'call_0', function: { name: 'crm__find' } }] },
    { role: 'tool', tool_call_id: 'call_0', content: 'Ada' },
  ]);
});

test('a custom tool with a grammar reaches the engine, and its call and output can be sent back', async () => {
  const engine = scriptedEngine(
    () => [toolCall(0, 'sum', 'custom'), toolInput(0, '1+1', 'custom'), finish('tool_calls')],
    withTools,
  );
  const { url } = await listen({ engines: [engine] });
  const grammar = { type: 'grammar', syntax: 'regex', definition: '[0-9+]+' };
  const tools = [{ type: 'custom', name: 'sum', format: grammar }];
  const { output } = (await (await postResponse(url, { ...ask, tools })).json()) as { output: object[] };
  expect(engine.asked[0]?.request.tools).toEqual([
    {
      type: 'custom',
      custom: { name: 'sum', format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[0-9+]+' } } },
    },
  ]);
  const input = [
    { role: 'user', content: '1+1?' },
    ...output,
    { type: 'custom_tool_call_output', call_id: 'call_0', output: '2' },
  ];
  expect((await postResponse(url, { ...ask, tools, input })).status).toBe(200);
  expect(engine.asked[1]?.request.messages.slice(1)).toMatchObject([
    { tool_calls: [{ type: 'custom', custom: { name: 'sum', input: '1+1' } }] },
    { role: 'tool', content: '2' },
  ]);
});

test('instructions, system and developer items become one leading system message, as chat templates require', async () => {
  const engine = scriptedEngine(() => says('Hi'));
  const { url } = await listen({ engines: [engine] });
  await postResponse(url, {
    ...ask,
    instructions: 'Be brief.',
    input: [
      { role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] },
      { role: 'user', content: 'Hello' },
      { type: 'message', role: 'system', content: 'Speak French.' },
    ],
  });
  expect(engine.asked[0]?.request.messages).toEqual([
    { role: 'system', content: 'Be brief.\n\nBe kind.\n\nSpeak French.' },
    { role: 'user', content: 'Hello' },
  ]);
});

test('every event of an item has its ID and index, and the first events have ID, time and model', async () => {
  const engine = scriptedEngine(() => slowly([text('Hi'), toolCall(0, 'look'), toolInput(0, '{}'), finish('tool_calls')]), withTools); // prettier-ignore
  const { url } = await listen({ engines: [engine] });
  const events = await eventsOf(await postResponse(url, { ...ask, tools: [look], stream: true }));
  for (const event of events) {
    if ('response' in event) {
      expect(event.response).toMatchObject({ id: expect.stringMatching(/^resp_/) as string, model: 'scripted' });
      expect(event.response.created_at).toBeGreaterThan(0);
    } else if ('item' in event)
      expect([event.output_index, event.item.id]).toEqual([expect.any(Number), expect.any(String)]);
    else
      expect(event).toMatchObject({
        output_index: expect.any(Number) as number,
        item_id: expect.any(String) as string,
      });
  }
});

test('a turn with tools only has no message item', async () => {
  const engine = scriptedEngine(() => [toolCall(0, 'look'), toolInput(0, '{}'), finish('tool_calls')], withTools);
  const { url } = await listen({ engines: [engine] });
  const events = await eventsOf(await postResponse(url, { ...ask, tools: [look], stream: true }));
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
});

test('usage and its details are always present, even if the engine counted nothing', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => [text('Hi'), finish()])] });
  const counts = {
    input_tokens: expect.any(Number) as number,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: expect.any(Number) as number,
  };
  expect(await (await postResponse(url, ask)).json()).toMatchObject({ usage: counts });
  const events = await eventsOf(await postResponse(url, { ...ask, stream: true }));
  expect(events.at(-1)).toMatchObject({ response: { usage: counts } });
});

test('text deltas and the end of a text have log probabilities, empty where none were asked for', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const events = await eventsOf(await postResponse(url, { ...ask, stream: true }));
  expect(events.filter(({ type }) => type.startsWith('response.output_text.'))).toMatchObject([
    { logprobs: [] },
    { logprobs: [] },
  ]);
});

test('accepts the history that clients send: null IDs, parsed fields, annotations, phases, plain text', async () => {
  const engine = scriptedEngine(() => says('Hi'));
  const { url } = await listen({ engines: [engine] });
  const response = await postResponse(url, {
    ...ask,
    temperature: null,
    prompt: null,
    tools: null,
    previous_response_id: null,
    input: [
      { type: null, role: 'user', content: 'One' },
      {
        type: 'message',
        id: null,
        status: null,
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'Two', annotations: [], logprobs: null, parsed: null }],
      },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null, content: null, status: null },
      { role: 'user', content: 'Three' },
      { role: 'assistant', content: 'Four', phase: 'final_answer' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }], status: 'completed' },
      { role: 'user', content: [{ type: 'input_text', text: 'Five' }] },
    ],
  });
  expect(response.status).toBe(200);
  expect(engine.asked[0]?.request.messages).toEqual([
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'Two' },
    { role: 'user', content: 'Three' },
    { role: 'assistant', content: 'Four', refusal: 'No.' },
    { role: 'user', content: 'Five' },
  ]);
});

const call_id = 'call_h';
const hosted = [
  { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['rivers'], results: null },
  { type: 'computer_call', id: 'cm_1', call_id, status: 'completed', action: {}, pending_safety_checks: [] },
  { type: 'computer_call_output', call_id, output: { type: 'computer_screenshot', file_id: 'file-1' } },
  { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1', container_id: 'c', outputs: null },
  { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AA==' },
  { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools: [] },
  { type: 'mcp_call', id: 'mcp_1', server_label: 'docs', name: 'find', arguments: '{}', output: null },
  { type: 'local_shell_call', id: 'lsh_1', call_id, status: 'completed', action: { type: 'exec' } },
  { type: 'local_shell_call_output', id: 'lsho_1', output: '{}' },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'of another server' },
];

test('items of hosted tools in the history are left out, and the header and the log name their types', async () => {
  const engine = scriptedEngine(() => says('Hi'));
  const logged: unknown[] = [];
  const { url } = await listen({ engines: [engine], log: (entry) => logged.push(entry.unsupportedTools) });
  const own = [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'rivers' } },
  ];
  const input = [{ role: 'user', content: 'Hello' }, ...own, ...hosted];
  const response = await postResponse(url, { ...ask, input, tools: [{ type: 'file_search' }] });
  const types = ['file_search', ...hosted.map(({ type }) => type)];
  expect([response.status, response.headers.get('x-modelwire-unsupported-tools')]).toEqual([200, types.join(', ')]);
  expect(logged).toEqual([types]);
  expect(engine.asked[0]?.request.messages).toEqual([{ role: 'user', content: 'Hello' }]);
});

test.each(hosted)("with hostedTools: 'refuse' an item $type is a 400 that names it", async (item) => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))], hostedTools: 'refuse' });
  const input = [{ role: 'user', content: 'Hello' }, item];
  const refusal = await refusalOf(await postResponse(url, { ...ask, input }));
  expect(refusal).toMatchObject({ status: 400, code: 'unsupported_value', param: 'input[1]' });
  expect(refusal.message).toContain(`'${item.type}'`);
});

test('the output of a function may be a list of parts, also of images', async () => {
  const engine = scriptedEngine(() => says('Hi'), { can: { ...withTools.can, inputs: ['text', 'image'] } });
  const { url } = await listen({ engines: [engine] });
  const image = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='; // prettier-ignore
  const response = await postResponse(url, {
    ...ask,
    tools: [look],
    input: [
      { role: 'user', content: 'Look!' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'Here:' },
          { type: 'input_image', image_url: image },
        ],
      },
    ],
  });
  expect(response.status).toBe(200);
  expect(engine.asked[0]?.request.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Here:' },
    {
      role: 'user',
      content: [
        { type: 'text', text: "Output of the call 'call_1':" },
        { type: 'image_url', image_url: { url: image } },
      ],
    },
  ]);
});

test('consecutive calls are one assistant message, followed by their outputs in order', async () => {
  const engine = scriptedEngine(() => says('Hi'), withTools);
  const { url } = await listen({ engines: [engine] });
  const called = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' });
  const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: id });
  await postResponse(url, {
    ...ask,
    tools: [look],
    input: [
      { role: 'user', content: 'Look!' },
      { role: 'assistant', content: 'I look.' },
      ...[called('a'), called('b'), output('b'), output('a')],
      ...[called('c'), output('c')],
    ],
  });
  const messages = engine.asked[0]?.request.messages ?? [];
  expect(messages.map((message) => ('tool_call_id' in message ? message.tool_call_id : message.role))).toEqual([
    'user',
    'assistant',
    'a',
    'b',
    'assistant',
    'c',
  ]);
  expect(messages[1]).toMatchObject({ content: 'I look.', tool_calls: [{ id: 'a' }, { id: 'b' }] });
});

test('an unknown previous_response_id is a 400 with the code that clients look for', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const refusal = await refusalOf(await postResponse(url, { ...ask, previous_response_id: 'resp_unknown' }));
  expect(refusal).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    code: 'previous_response_not_found',
    param: 'previous_response_id',
    message: "Previous response with id 'resp_unknown' not found.",
  });
});

test.each([{ type: 'item_reference', id: 'msg_unknown' }, { id: 'msg_unknown' }, { type: null, id: 'msg_unknown' }])(
  'a reference to an item that is not stored is a 404 that names it: %j',
  async (reference) => {
    const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
    const input = [{ role: 'user', content: 'Hello' }, reference];
    const refusal = await refusalOf(await postResponse(url, { ...ask, input }));
    expect(refusal).toMatchObject({ status: 404, code: 'not_found', param: 'input[1].id' });
    expect(refusal.message).toContain('msg_unknown');
  },
);

test('an empty reply is an empty message, never an empty output', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => [finish()])] });
  const output = [{ type: 'message', content: [{ type: 'output_text', text: '' }] }];
  expect(await (await postResponse(url, ask)).json()).toMatchObject({ output });
  const events = await eventsOf(await postResponse(url, { ...ask, stream: true }));
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output } });
});

test('a stream has one last event, and no response.done', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const types = (await eventsOf(await postResponse(url, { ...ask, stream: true }))).map(({ type }) => type);
  expect(types.filter((type) => /^response\.(?:completed|incomplete|failed|done)$/.test(type))).toEqual([
    'response.completed',
  ]);
  expect(types.at(-1)).toBe('response.completed');
});

test('values of include that do not apply here have no effect', async () => {
  const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  expect((await postResponse(url, { ...ask, include: ['file_search_call.results'] })).status).toBe(200);
});

test('accepts the default requests of Codex', async () => {
  const engine = scriptedEngine(() => says('Hi'), {
    can: { ...withTools.can, parameters: { ...withTools.can.parameters, reasoning_effort: 'native', verbosity: 'native' }, verbosities: ['low', 'medium', 'high'] }, // prettier-ignore
  });
  const { url } = await listen({ engines: [engine] });
  const response = await postResponse(url, {
    model: 'scripted',
    instructions: 'You are a coding agent.',
    input: [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Sandbox: read-only' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the bug' }] },
    ],
    tools: [
      { type: 'function', name: 'shell', description: 'Runs.', strict: false, parameters: { type: 'object', properties: {} } },
      { type: 'custom', name: 'apply_patch', description: 'Patches.', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
      { type: 'namespace', name: 'mcp', description: 'Docs.', tools: [look] },
      { type: 'web_search', external_web_access: false },
      { type: 'tool_search' },
      { type: 'image_generation', output_format: 'png' },
    ], // prettier-ignore
    tool_choice: 'auto',
    parallel_tool_calls: false,
    reasoning: { effort: 'medium', summary: 'auto' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '0199-uuid',
    client_metadata: { session_id: '0199-uuid', 'x-codex-window-id': '0199-uuid:0' },
    text: { verbosity: 'medium' },
  });
  expect(response.headers.get('x-modelwire-unsupported-tools')).toBe('web_search, tool_search, image_generation');
  expect((await eventsOf(response)).at(-1)).toMatchObject({ type: 'response.completed' });
});
