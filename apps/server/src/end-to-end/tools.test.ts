import type OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Tool = OpenAI.ChatCompletionTool;
const place = z.object({ location: z.string(), unit: z.enum(['celsius', 'fahrenheit']) });
const weather = zodFunction({ name: 'get_weather', description: 'Get the weather for a location', parameters: place });
const clock: Tool = {
  type: 'function',
  function: {
    name: 'get_time',
    description: 'Tells the time in a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const both = 'What is the weather in Paris, and what time is it in Tokyo?';
const user = (content: string) => [{ role: 'user' as const, content }];
const base = { model: 'simulator', temperature: 0, messages: user(both), tools: [weather, clock] as Tool[] };
const create = (more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
  server.client.chat.completions.create({ ...base, ...more });

describe('function tools through the official SDK', () => {
  test('are called in parallel', async () => {
    const [choice] = (await create()).choices;
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { type: 'function', function: { name: 'get_weather', arguments: '{"location":"Paris","unit":"celsius"}' } },
          { type: 'function', function: { name: 'get_time', arguments: '{"city":"Tokyo"}' } },
        ],
      },
    });
    for (const { id } of choice?.message.tool_calls ?? []) expect(id).toMatch(/^call_\w{24}$/);
  });

  test('stream as deltas by index: ID and name first, then arguments', async () => {
    const chunks = await Array.fromAsync(await server.client.chat.completions.create({ ...base, stream: true }));
    const [first, ...deltas] = chunks.map(({ choices }) => choices[0]?.delta);
    expect(first).toEqual({ role: 'assistant', content: null, refusal: null });
    const calls = deltas.flatMap((delta) => delta?.tool_calls ?? []);
    const opening = { type: 'function', id: expect.stringMatching(/^call_/) as string };
    expect(calls.filter(({ id }) => id !== undefined)).toEqual([
      { index: 0, ...opening, function: { name: 'get_weather', arguments: '' } },
      { index: 1, ...opening, function: { name: 'get_time', arguments: '' } },
    ]);
    for (const { id, ...call } of calls) {
      if (id === undefined) expect(Object.keys(call)).toEqual(['index', 'function']);
    }
    expect(calls.map(({ index }) => index)).toEqual(calls.map(({ index }) => index).sort());
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
    const streamed = await server.client.chat.completions.stream(base).finalChatCompletion();
    const whole = await create();
    const bare = (one: OpenAI.ChatCompletion) =>
      one.choices[0]?.message.tool_calls?.map(
        (call) => call.type === 'function' && [call.function.name, call.function.arguments],
      );
    expect(bare(streamed)).toEqual(bare(whole));
  });

  test('runTools calls them and sends their results', async () => {
    const requestedLocations: string[] = [];
    const runner = server.client.chat.completions.runTools({
      ...base,
      tools: [
        zodFunction({
          ...{ name: 'get_weather', description: 'Get the weather for a location', parameters: place },
          function: ({ location }) => {
            requestedLocations.push(location);
            return { temperature: 18, sky: 'clear' };
          },
        }),
        zodFunction({
          ...{ name: 'get_time', description: 'Tells the time in a city', parameters: z.object({ city: z.string() }) },
          function: ({ city }) => {
            requestedLocations.push(city);
            return 'half past nine';
          },
        }),
      ],
    });
    const content = await runner.finalContent();
    expect(requestedLocations).toEqual(['Paris', 'Tokyo']);
    expect(content).toContain('temperature is 18 and sky is clear');
    expect(content).toContain('half past nine');
  });

  test('parse returns arguments parsed by zod', async () => {
    const { choices } = await server.client.chat.completions.parse({ ...base, tools: [weather] });
    const [call] = choices[0]?.message.tool_calls ?? [];
    expect(call?.type === 'function' && call.function.parsed_arguments).toEqual({ location: 'Paris', unit: 'celsius' });
  });

  test('every choice has its own calls', async () => {
    const { choices } = await create({ n: 3, temperature: 1.5, seed: 7 });
    const calls = choices.map(({ message }) => message.tool_calls ?? []);
    expect(calls.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(new Set(calls.flat().map(({ id }) => id)).size).toBe(6);
    for (const [call] of calls)
      expect(call?.type === 'function' && place.safeParse(JSON.parse(call.function.arguments)).success).toBe(true);
  });

  test.each<[string, OpenAI.ChatCompletionToolChoiceOption, string[]]>([
    ['none', 'none', []],
    ['required', 'required', ['get_weather', 'get_time']],
    ['a name', { type: 'function', function: { name: 'get_time' } }, ['get_time']],
    ['allowed tools, auto', allowed('auto', 'get_time'), ['get_time']],
    ['allowed tools, required', allowed('required', 'get_weather'), ['get_weather']],
  ])('tool_choice: %s', async (_, tool_choice, names) => {
    const [choice] = (await create({ tool_choice })).choices;
    const called = (choice?.message.tool_calls ?? []).map((call) => call.type === 'function' && call.function.name);
    expect(called).toEqual(names);
    expect(choice?.finish_reason).toBe(names.length > 0 ? 'tool_calls' : 'stop');
  });

  test('are called one by one without parallel_tool_calls', async () => {
    const [choice] = (await create({ parallel_tool_calls: false })).choices;
    expect(choice?.message.tool_calls).toHaveLength(1);
  });
});

function allowed(mode: 'auto' | 'required', name: string): OpenAI.ChatCompletionAllowedToolChoice {
  return { type: 'allowed_tools', allowed_tools: { mode, tools: [{ type: 'function', function: { name } }] } };
}

describe('custom tools through the official SDK', () => {
  const custom = (name: string, syntax: 'lark' | 'regex', definition: string): Tool => ({
    ...{ type: 'custom', custom: { name, format: { type: 'grammar', grammar: { syntax, definition } } } },
  });
  const lark = 'start: INT (" " OP " " INT)*\nOP: "+" | "-" | "*" | "/"\n%import common.INT';
  const tools = [custom('math_exp', 'lark', lark), custom('timestamp', 'regex', String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`)];

  test('get input that matches their grammars, complete and streamed', async () => {
    for (const [content, name, input] of [
      ['Use math_exp: what is 12 plus 30?', 'math_exp', '12 + 30'],
      ['Make a timestamp of 2026-03-01 10:30', 'timestamp', '2026-03-01 10:30'],
    ] as const) {
      const params = { ...base, tools, messages: user(content) };
      const whole = await server.client.chat.completions.create(params);
      expect(whole.choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ type: 'custom', custom: { name, input } }] },
      });
      const chunks = await Array.fromAsync(await server.client.chat.completions.create({ ...params, stream: true }));
      const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []) as {
        custom?: { name?: string; input?: string };
      }[];
      expect(calls[0]).toMatchObject({ index: 0, type: 'custom', custom: { name, input: '' } });
      expect(calls.map((call) => call.custom?.input).join('')).toBe(input);
    }
  });

  test('can be named and match their grammar at any temperature', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const { choices } = await create({
        ...{ tools, seed, temperature: 2, tool_choice: { type: 'custom', custom: { name: 'timestamp' } } },
      });
      const [call] = choices[0]?.message.tool_calls ?? [];
      expect(call?.type === 'custom' && call.custom.input).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    }
  });

  test('are refused if the grammar cannot be enforced', async () => {
    await expect(create({ tools: [custom('odd', 'regex', '(a)\\1')] })).rejects.toMatchObject({
      ...{ status: 400, code: 'invalid_grammar', param: 'tools[0].custom.format.grammar.definition' },
    });
  });
});

describe('deprecated functions through the official SDK', () => {
  const { tools: _, ...plain } = base;
  const functions = [clock.function, { name: 'get_weather', description: 'Get the weather for a location' }];

  test('are called one at a time, with function_call', async () => {
    const params = { ...plain, functions, messages: user('What time is it in Tokyo?') };
    const { choices } = await server.client.chat.completions.create(params);
    expect(choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { content: null, function_call: { name: 'get_time', arguments: '{"city":"Tokyo"}' } },
    });
    const chunks = await Array.fromAsync(await server.client.chat.completions.create({ ...params, stream: true }));
    const calls = chunks.flatMap(({ choices: [choice] }) => choice?.delta.function_call ?? []);
    expect(calls[0]).toEqual({ name: 'get_time', arguments: '' });
    expect(calls.map((call) => call.arguments).join('')).toBe('{"city":"Tokyo"}');
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('function_call');
  });

  test('are selected, excluded, and answered with function messages', async () => {
    const ends = async (more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>) =>
      (await server.client.chat.completions.create({ ...plain, functions, ...more })).choices[0];
    expect((await ends({ function_call: { name: 'get_weather' } }))?.message.function_call).toEqual({
      ...{ name: 'get_weather', arguments: '{}' },
    });
    expect((await ends({ function_call: 'none' }))?.finish_reason).toBe('stop');
    const reply = await ends({
      messages: [
        ...user('What time is it in Tokyo?'),
        { role: 'assistant', content: null, function_call: { name: 'get_time', arguments: '{"city":"Tokyo"}' } },
        { role: 'function', name: 'get_time', content: 'half past nine' },
      ],
    });
    expect(reply?.message.content).toMatch(/^According to get_time \(Tokyo\), “half past nine”\./);
  });
});
