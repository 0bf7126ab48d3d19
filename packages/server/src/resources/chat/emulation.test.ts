import { expect, test } from 'vitest';
import type { ChatCompletionTool, ToolChoice } from '@modelwire/schema/types';
import { capabilities } from '@modelwire/ports';
import { chatParameters, emulatedParameters, parameterRules } from '@modelwire/ports/internal';
import type { ChatEvent, CapabilitiesInit, ParameterSupport } from '@modelwire/ports';
import type { ServerOptions } from '../../options/options.ts';
import { listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';
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

const messages = [{ role: 'user' as const, content: 'hi' }];
const plain: CapabilitiesInit = {
  parameters: { response_format: 'native', tools: 'native' },
  response_formats: ['text'],
  tool_types: ['function', 'custom'],
};

/** A client of an engine that gives these replies, one for each request. */
async function replying(replies: readonly (readonly ChatEvent[])[], options: Partial<ServerOptions> = {}) {
  let at = 0;
  const engine = scriptedEngine(() => replies[at++] ?? [], { can: plain });
  return { ...(await listen({ engines: [engine], ...options })), asked: engine.asked };
}

const call = (name: string, index = 0): ChatEvent[] => [
  { type: 'tool_call', choice: 0, index, id: `call_${index}`, kind: 'function', name },
  { type: 'tool_input', choice: 0, index, kind: 'function', text: '{}' },
];
const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'tool_calls' };
const body = { model: 'scripted', messages };

test('a missing required call is requested again, and preceding text is not emitted', async () => {
  const { client, asked } = await replying([[...says('Sure!')], [...call('b'), finish], [...call('a'), finish]]);
  const { choices } = await client.chat.completions.create({
    ...body,
    tools: [tool('a'), tool('b')],
    tool_choice: of('a'),
  });
  expect(choices[0]?.message).toMatchObject({ content: null, tool_calls: [{ function: { name: 'a' } }] });
  expect(asked.map(({ request }) => request.tools)).toEqual(Array(3).fill([tool('a')]));
  const never = await replying([[...says('Sure!')]], { structuredOutputAttempts: 1 });
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
    parameters: { n: 'emulated', response_format: 'native', tools: 'native', logit_bias: 'refused' },
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
