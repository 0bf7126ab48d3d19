import { expect, test } from 'vitest';
import type { ChatEvent } from '@modelwire/ports';
import { listen } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const messages = [{ role: 'user' as const, content: 'Weather?' }];
const functions = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];
const can = {
  parameters: { tools: 'native', tool_choice: 'native', parallel_tool_calls: 'native' },
  tool_types: ['function'],
} as const;
const calls: readonly ChatEvent[] = [
  { type: 'tool_call', choice: 0, index: 0, id: 'call_1', kind: 'function', name: 'look' },
  { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: '{"at":' },
  { type: 'tool_input', choice: 0, index: 0, kind: 'function', text: '1}', tokens: 2 },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
];

test('functions of the client become tools of the engine', async () => {
  const engine = scriptedEngine(() => calls, { can });
  const { client } = await listen({ engines: [engine] });
  await client.chat.completions.create({ model: 'scripted', messages, functions, function_call: { name: 'look' } });
  expect(engine.asked[0]?.request).toMatchObject({
    tools: [{ type: 'function', function: functions[0] }],
    tool_choice: { type: 'function', function: { name: 'look' } },
    parallel_tool_calls: false,
  });
  await client.chat.completions.create({ model: 'scripted', messages, functions, function_call: 'none' });
  expect(engine.asked[1]?.request.tool_choice).toBe('none');
  await client.chat.completions.create({ model: 'scripted', messages, functions });
  expect(engine.asked[2]?.request.tool_choice).toBe('auto');
});

test('its tool call becomes a function call, complete and streamed', async () => {
  const { client } = await listen({ engines: [scriptedEngine(() => calls, { can })] });
  const whole = await client.chat.completions.create({ model: 'scripted', messages, functions });
  expect(whole.choices[0]).toMatchObject({
    finish_reason: 'function_call',
    message: { content: null, function_call: { name: 'look', arguments: '{"at":1}' } },
  });
  expect(whole.choices[0]?.message.tool_calls).toBeUndefined();
  const stream = await client.chat.completions.create({ model: 'scripted', messages, functions, stream: true });
  const chunks = await Array.fromAsync(stream);
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { role: 'assistant', content: null, refusal: null },
    { function_call: { name: 'look', arguments: '' } },
    { function_call: { arguments: '{"at":' } },
    { function_call: { arguments: '1}' } },
    {},
  ]);
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('function_call');
});

test('the token limit counts as many tokens of a tool input as the engine says', async () => {
  const { client } = await listen({ engines: [scriptedEngine(() => calls, { can })] });
  const ends = async (max_completion_tokens: number) =>
    (await client.chat.completions.create({ model: 'scripted', messages, functions, max_completion_tokens })).choices[0]
      ?.finish_reason;
  expect(await ends(3)).toBe('function_call');
  expect(await ends(2)).toBe('length');
});

test('function calls and results in the conversation become those of tools', async () => {
  const engine = scriptedEngine(() => says('Done'), { can: { ...can, roles: ['user', 'assistant', 'tool'] } });
  const { client } = await listen({ engines: [engine] });
  await client.chat.completions.create({
    model: 'scripted',
    messages: [
      ...messages,
      { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
      { role: 'function', name: 'look', content: 'sunny' },
    ],
  });
  const id = 'call_function_1';
  expect(engine.asked[0]?.request.messages).toEqual([
    ...messages,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: 'sunny' },
  ]);
});

test('a model without function tools rejects `functions` with a 400 that names it', async () => {
  const { client } = await listen({ engines: [scriptedEngine(() => says('Hi'))] });
  const refused = client.chat.completions.create({ model: 'scripted', messages, functions });
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'functions', code: 'unsupported_parameter' });
});
