import { runSteps } from '@modelwire/grammar';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChatCompletionTool, ToolChoice } from '@modelwire/schema/types';
import { capabilities, chatParameters, emulatedParameters, parameterRules } from '@modelwire/ports';
import type { ChatEvent, ChatRequest, CapabilitiesInit, ParameterSupport } from '@modelwire/ports';
import { listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { checkInTurns, jsonOfSchema } from '../../streaming/transforms/json-shape.ts';
import { restrictTools } from '../../generation/plan.ts';

const tool = (name: string) => ({ type: 'function', function: { name } }) as const satisfies ChatCompletionTool;
const tools = [tool('a'), tool('b'), { type: 'custom', custom: { name: 'a' } } as const];
const of = (name: string) => ({ type: 'function', function: { name } }) as const;

test.each<[string, ToolChoice, Partial<ReturnType<typeof restrictTools>>]>([
  ['auto is as it is', 'auto', { tools, tool_choice: 'auto', requiredNames: undefined }],
  ['none sends no tools', 'none', { tools: [], tool_choice: 'none', requiredNames: undefined }],
  ['required has to be seen to', 'required', { tools, tool_choice: 'auto', requiredNames: ['a', 'b', 'a'] }],
  ['a named function is sent alone', of('a'), { tools: [tools[0]!], tool_choice: 'auto', requiredNames: ['a'] }],
  [
    'a named custom tool is sent alone',
    { type: 'custom', custom: { name: 'a' } },
    { tools: [tools[2]!], tool_choice: 'auto', requiredNames: ['a'] },
  ],
  [
    'allowed tools are sent alone, with their mode',
    { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [of('b')] } },
    { tools: [tools[1]!], tool_choice: 'auto', requiredNames: undefined },
  ],
])('emulates a tool choice for an engine without support: %s', (_what, choice, expected) => {
  expect(restrictTools(tools, choice, [])).toEqual(expected);
});

test('passes a required tool choice to an engine that supports it', () => {
  expect(restrictTools(tools, of('b'), ['required'])).toEqual({
    tools: [tools[1]],
    tool_choice: 'required',
    requiredNames: undefined,
  });
  expect(restrictTools(tools, of('b'), ['function'])).toEqual({
    tools,
    tool_choice: of('b'),
    requiredNames: undefined,
  });
});

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^(a+)+$' },
    n: { type: 'integer' },
    list: { type: 'array', items: { type: 'number' } },
  },
  required: ['name', 'n', 'list'],
  additionalProperties: false,
};

const shapeOf = (...schema: Parameters<typeof jsonOfSchema>) => {
  const check = runSteps(jsonOfSchema(...schema));
  return (text: string) => runSteps(check(text));
};

test('validates JSON against its schema, whatever its white space and order', () => {
  const shape = shapeOf(schema, true);
  expect(shape('{\n  "list": [1, 2.5 ],\n  "n": 3.0, "name": "aa" }')).toBeUndefined();
  expect(shape('{"name":"aa","n":3,"list":[1,"2"]}')).toBe('it does not match the schema at $.list[1]');
  expect(shape('{"name":"aa","n":3}')).toBe('it does not match the schema at $');
  expect(shape('{"name":"aa","n":1e999,"list":[]}')).toBe('it does not match the schema at $.n');
  expect(shape(`{"name":"${'a'.repeat(20_000)}!","n":3,"list":[]}`)).toBe('it does not match the schema at $.name');
  expect(shape('{"name":"aa","n":3,"list":[],"more":1}')).toBe('it does not match the schema at $');
  expect(shape('[1]')).toBe('it does not match the schema at $');
  expect(shape('no')).toBe('it is not JSON');
});

test('any of several alternatives is valid, and optional properties may be omitted or reordered', () => {
  const either = (name: string) => ({
    type: 'object',
    properties: { kind: { const: name }, [name]: { type: 'integer' } },
    required: ['kind', name],
    additionalProperties: false,
  });
  const shape = shapeOf({ anyOf: [either('x'), either('y')] }, false);
  expect(shape('{"y":1,"kind":"y"}')).toBeUndefined();
  expect(shape('{"x":1,"kind":"y"}')).toContain('does not match');
  const optional = shapeOf({ type: 'object', properties: { a: {}, b: {}, c: {} }, additionalProperties: false }, false);
  expect(optional('{"c":1,"a":{"z":[{}]}}')).toBeUndefined();
});

test('a deeply nested value, or one with too many orders, is invalid and does not block the server', () => {
  const shape = shapeOf({}, false);
  expect(shape('['.repeat(100_000) + ']'.repeat(100_000))).toBe('it is too large to be checked');
});

const messages = [{ role: 'user' as const, content: 'hi' }];
const json = {
  type: 'json_schema',
  json_schema: {
    name: 'one',
    strict: true,
    schema: { ...schema, properties: { n: { type: 'integer' } }, required: ['n'] },
  },
} as const;
/** A schema with so many properties, and a value that has them all in the opposite order. */
function wide(count: number, isRequired: boolean) {
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
  const schema = { type: 'object', properties, required: isRequired ? names : [], additionalProperties: false };
  return { schema, text: JSON.stringify(Object.fromEntries(names.toReversed().map((name) => [name, 1]))) };
}

test('an object of a thousand properties is checked, in steps between which the event loop runs', async () => {
  const { schema, text } = wide(1000, true);
  const check = runSteps(jsonOfSchema(schema, false));
  expect(await checkInTurns(check(text))).toBeUndefined();
  expect(Array.from(check(text)).length).toBeGreaterThan(1000);
});

test.each([
  ['required', true],
  ['optional', false],
])('twenty %s properties are valid in any order, and each once', (_, isRequired) => {
  const { schema } = wide(20, isRequired);
  const shape = shapeOf(schema, false);
  const inOrder = (step: number): string =>
    `{${Array.from({ length: 20 }, (_, index) => `"p${(index * step) % 20}":1`).join(',')}}`;
  for (const step of [1, 3, 7, 19]) expect(shape(inOrder(step))).toBeUndefined();
  expect(shape(inOrder(3).replace('"p19":1', '"p19":"1"'))).toBe('it does not match the schema at $.p19');
  expect(shape('{"p1":1,"more":1}')).toContain('does not match');
  expect(shape('{"p1":1}') === undefined).toBe(!isRequired);
});

test('a schema that takes long to compile is compiled in steps, between which the event loop runs', () => {
  const patterns = Array.from({ length: 60 }, (_, index) => ({
    type: 'string',
    pattern: `^x${index}(a|b)*a(a|b){6}$`,
  }));
  const schema = { type: 'array', items: { anyOf: patterns } };
  expect(Array.from(jsonOfSchema(schema, false)).length).toBeGreaterThan(20);
});

test('the validation of a reply is limited, and other requests run in the meantime', async () => {
  // Each reading of the clock is ten milliseconds later.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  onTestFinished(() => void vi.restoreAllMocks());
  let turns = 0;
  const count = (): void => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const { schema, text } = wide(1000, true);
  expect(await checkInTurns(runSteps(jsonOfSchema(schema, false))(text))).toBe('it is too large to be checked');
  clearImmediate(next);
  expect(turns).toBeGreaterThan(100);
});

const plain: CapabilitiesInit = {
  parameters: { response_format: 'emulated', tools: 'native' },
  response_formats: ['text'],
  tool_types: ['function', 'custom'],
};

/** A client of an engine that gives these replies, one for each request. */
async function replying(replies: readonly (readonly ChatEvent[])[], can: CapabilitiesInit = plain) {
  let at = 0;
  const engine = scriptedEngine(() => replies[at++] ?? [], { can });
  return { ...(await listen({ engines: [engine] })), asked: engine.asked };
}

const call = (name: string, index = 0): ChatEvent[] => [
  { type: 'tool_call', choice: 0, index, id: `call_${index}`, kind: 'function', name },
  { type: 'tool_input', choice: 0, index, kind: 'function', text: '{}' },
];
const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'tool_calls' };
const body = { model: 'scripted', messages };
const contents = (request: ChatRequest | undefined) => request?.messages.map(({ role, content }) => [role, content]);

test('an emulated format is requested in the prompt, validated and retried; usage is the sum of all attempts', async () => {
  const { client, asked } = await replying([[...says('{"n":', '"x"}')], [...says('```json\n{"n": 1}\n```')]]);
  const { choices, usage } = await client.chat.completions.create({ ...body, response_format: json });
  expect(choices[0]?.message.content).toBe('{"n": 1}');
  expect(usage).toEqual({ prompt_tokens: 6, completion_tokens: 3, total_tokens: 9 });
  expect(asked.map(({ request }) => request.response_format)).toEqual([{ type: 'text' }, { type: 'text' }]);
  expect(contents(asked[0]?.request)).toEqual([
    ['system', expect.stringContaining(JSON.stringify(json.json_schema.schema))],
    ['user', 'hi'],
  ]);
  expect(contents(asked[1]?.request)?.slice(2)).toEqual([
    ['assistant', '{"n":"x"}'],
    ['user', expect.stringContaining('it does not match the schema at $.n')],
  ]);
});

test('a reply that never becomes valid is an error that clients do not retry', async () => {
  const { client, asked } = await replying([[...says('a')], [...says('b')], [...says('c')], [...says('{"n":1}')]]);
  const error = { status: 502, type: 'invalid_output', code: 'invalid_output', param: 'response_format' };
  await expect(client.chat.completions.create({ ...body, response_format: json })).rejects.toMatchObject(error);
  expect(asked).toHaveLength(3);
});

test('a stream emits nothing before the reply is valid', async () => {
  const { client } = await replying([[...says('no')], [...says('{"n"', ':2}')]]);
  const stream = await client.chat.completions.create({ ...body, response_format: json, stream: true });
  const said = (await Array.fromAsync(stream)).map(({ choices }) => choices[0]?.delta.content ?? '');
  expect(said.join('')).toBe('{"n":2}');
  const never = await replying([[...says('no')]], { ...plain, max_retries: 0 });
  const failed = never.client.chat.completions.create({ ...body, response_format: json, stream: true });
  await expect(failed).rejects.toMatchObject({ status: 502, code: 'invalid_output' });
});

test('each of several choices is retried until it is valid', async () => {
  const { client, asked } = await replying([[...says('no')], [...says('{"n":1}')], [...says('{"n":2}')]], {
    ...plain,
    parameters: { ...plain.parameters, n: 'native' },
  });
  const { choices } = await client.chat.completions.create({ ...body, response_format: json, n: 2 });
  expect(choices.map(({ message }) => message.content).sort()).toEqual(['{"n":1}', '{"n":2}']);
  expect(asked.map(({ request }) => request.n)).toEqual([1, 1, 1]);
});

test.each<[string, ChatEvent[], object]>([
  [
    'length',
    [
      { type: 'text', choice: 0, text: '{"n' },
      { type: 'finish', choice: 0, reason: 'length' },
    ],
    { content: '{"n' },
  ],
  [
    'stop',
    [
      { type: 'refusal', choice: 0, text: 'No.' },
      { type: 'finish', choice: 0, reason: 'stop' },
    ],
    { refusal: 'No.' },
  ],
  ['tool_calls', [...call('a'), finish], { tool_calls: [{ id: 'call_0' }] }],
])('passes refusals and truncated replies: %s', async (reason, events, message) => {
  const { client } = await replying([events]);
  const { choices } = await client.chat.completions.create({ ...body, response_format: json, tools: [tool('a')] });
  expect(choices[0]).toMatchObject({ finish_reason: reason, message });
});

test('a format that the engine supports is passed on, and validated nevertheless', async () => {
  const { client, asked } = await replying([[...says('[]')], [...says('{}')]], {
    ...plain,
    response_formats: ['text', 'json_object'],
  });
  const said = [{ role: 'user' as const, content: 'JSON, please' }];
  const { choices } = await client.chat.completions.create({
    model: 'scripted',
    messages: said,
    response_format: { type: 'json_object' },
  });
  expect(choices[0]?.message.content).toBe('{}');
  expect(asked[0]?.request).toMatchObject({ messages: said, response_format: { type: 'json_object' } });
});

test('refuses a schema that cannot be enforced, and names the part, before calling the engine', async () => {
  const { client, asked } = await replying([]);
  const wrong = {
    ...json,
    json_schema: { ...json.json_schema, schema: { type: 'object', properties: { n: { not: {} } } } },
  };
  await expect(client.chat.completions.create({ ...body, response_format: wrong })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_json_schema',
    param: expect.stringMatching(/^response_format\.json_schema\.schema/) as string,
  });
  expect(asked).toHaveLength(0);
});

test('a missing required call is requested again, and preceding text is not emitted', async () => {
  const { client, asked } = await replying([[...says('Sure!')], [...call('b'), finish], [...call('a'), finish]]);
  const { choices } = await client.chat.completions.create({
    ...body,
    tools: [tool('a'), tool('b')],
    tool_choice: of('a'),
  });
  expect(choices[0]?.message).toMatchObject({ content: null, tool_calls: [{ function: { name: 'a' } }] });
  expect(asked.map(({ request }) => request.tools)).toEqual(Array(3).fill([tool('a')]));
  const never = await replying([[...says('Sure!')]], { ...plain, max_retries: 0 });
  const failed = never.client.chat.completions.create({ ...body, tools: [tool('a')], tool_choice: 'required' });
  await expect(failed).rejects.toMatchObject({ status: 502, type: 'invalid_output', param: 'tool_choice' });
});

test('without parallel calls the reply ends after the first call', async () => {
  const { client, asked } = await replying([[...call('a'), ...call('b', 1), finish]]);
  const { choices } = await client.chat.completions.create({
    ...{ ...body, tools: [tool('a'), tool('b')] },
    parallel_tool_calls: false,
  });
  expect(choices[0]?.message.tool_calls?.map(({ id }) => id)).toEqual(['call_0']);
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  expect(asked[0]?.request.parallel_tool_calls).toBe(true);
});

test.each(chatParameters)('%s has the support that the table declares', (name) => {
  const { emulated } = parameterRules[name];
  const bare = capabilities().parameters[name];
  const withTools = capabilities({ parameters: { tools: 'native' }, tool_types: ['function'] }).parameters[name];
  const unasked = ['always', 'speech', 'search'];
  expect(bare).toBe(unasked.includes(emulated) ? 'emulated' : 'refused');
  if (name !== 'tools') expect(withTools).toBe([...unasked, 'tools'].includes(emulated) ? 'emulated' : 'refused');
  const declared = {
    parameters: { tools: 'native', [name]: 'emulated' } as Partial<ParameterSupport>,
    tool_types: ['function'] as const,
  };
  const can = (emulatedParameters as readonly string[]).includes(name);
  if (can) expect(capabilities(declared).parameters[name]).toBe('emulated');
  else expect(() => capabilities(declared)).toThrow(`'${name}' cannot be emulated`);
});

test('refuses parameters that require a missing service', async () => {
  const engines = [scriptedEngine(() => says('Hi'))];
  const speech = {
    name: 's',
    voices: ['alloy'],
    formats: ['wav'] as const,
    begin: () => Promise.reject(new Error()) as never,
  };
  const webSearch = { name: 'w', search: () => Promise.resolve([]) };
  const read = async (options: object): Promise<object> =>
    (await listen({ engines, ...options })).client.get('/capabilities/scripted');
  expect(await read({})).toMatchObject({
    parameters: { audio: 'refused', modalities: 'refused', web_search_options: 'refused' },
    modalities: ['text'],
  });
  expect(await read({ speech, webSearch })).toMatchObject({
    parameters: { audio: 'emulated', modalities: 'emulated', web_search_options: 'emulated' },
    modalities: ['text', 'audio'],
    inputs: ['text', 'file'],
  });
});

test('official clients can read the capabilities of a model with any ID', async () => {
  const engines = ['house/one', 'plain'].map((id) => scriptedEngine(() => says('Hi'), { id, can: plain }));
  const { client, url } = await listen({ engines });
  expect(await client.get('/capabilities/house/one')).toMatchObject({
    ...{ object: 'model.capabilities', model: 'house/one', response_formats: ['text', 'json_object', 'json_schema'] },
    parameters: { n: 'emulated', response_format: 'emulated', tools: 'native', logit_bias: 'refused' },
    reasoning_efforts: null,
  });
  expect(await client.get('/capabilities/house%2Fone')).toMatchObject({ model: 'house/one' });
  expect(await client.models.retrieve('house/one')).toMatchObject({ id: 'house/one' });
  await expect(client.get('/capabilities/nothing')).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
  const posted = await fetch(`${url}/v1/capabilities/plain`, { method: 'POST', body: '{}' });
  expect(posted.status).toBe(405);
});
