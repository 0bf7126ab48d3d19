import { Ajv } from 'ajv';
import type { ChatCompletion } from '@modelwire/schema/types';
import { expect, test } from 'vitest';
import { serveTinyForFile, tokenId, userMessage } from './testing/serve-tiny.ts';

const served = await serveTinyForFile();

const messages = userMessage('What is the weather in Lyon?');
const parameters = {
  type: 'object',
  properties: {
    city: { type: 'string', pattern: '^[A-Z][a-z]{1,6}$' },
    days: { type: 'integer', minimum: 1, maximum: 9 },
  },
  required: ['city', 'days'],
  additionalProperties: false,
};
const weather = { type: 'function', function: { name: 'get_weather', strict: true, parameters } };
const clock = { type: 'function', function: { name: 'clock' } };
const sum = {
  type: 'custom',
  custom: {
    name: 'sum',
    format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[0-9]{1,3}( [+"-] [0-9]{1,3}){0,2}' } },
  },
};
const note = { type: 'custom', custom: { name: 'note' } };
const tools = [weather, clock, sum, note];
const validate = new Ajv().compile(parameters);
const calling = { [tokenId('<tool_call>')]: 100 };
const max_completion_tokens = 400;

function callsOf(completion: ChatCompletion): { name: string; input: string; id: string }[] {
  return (completion.choices[0]!.message.tool_calls ?? []).map((call) =>
    call.type === 'custom'
      ? { id: call.id, name: call.custom.name, input: call.custom.input }
      : { id: call.id, name: call.function.name, input: call.function.arguments },
  );
}

function expectValid(name: string, input: string): void {
  if (name === 'get_weather') expect(validate(JSON.parse(input)), input).toBe(true);
  else if (name === 'clock') expect(JSON.parse(input)).toEqual({});
  else if (name === 'sum') expect(input).toMatch(/^[0-9]{1,3}( [+"-] [0-9]{1,3}){0,2}$/);
  else expect(name).toBe('note');
}

test('calls a requested tool with valid arguments', async () => {
  for (const [name, tool_choice] of [
    ['get_weather', { type: 'function', function: { name: 'get_weather' } }],
    ['clock', { type: 'function', function: { name: 'clock' } }],
    ['sum', { type: 'custom', custom: { name: 'sum' } }],
  ] as const) {
    const completion = await served.complete({ messages, tools, tool_choice, seed: 4, max_completion_tokens });
    expect(completion.choices[0]!.finish_reason).toBe('tool_calls');
    const [call, ...others] = callsOf(completion);
    expect(others).toEqual([]);
    expect(call!.name).toBe(name);
    expect(call!.id).toMatch(/^call_[A-Za-z0-9]{24}$/);
    expectValid(name, call!.input);
  }
});

test('the input of a custom tool without a grammar is any text, truncated at the limit', async () => {
  const tool_choice = { type: 'custom', custom: { name: 'note' } };
  const whole = await served.complete({ messages, tools, tool_choice, seed: 1, max_completion_tokens: 60 });
  const [call] = callsOf(whole);
  expect(call!.name).toBe('note');
  expect(['length', 'tool_calls']).toContain(whole.choices[0]!.finish_reason);
});

test('tool_choice required calls one of the tools, and allowed_tools one of the allowed tools', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const required = await served.complete({
      messages,
      tools: [weather, clock, sum],
      tool_choice: 'required',
      seed,
      parallel_tool_calls: false,
      max_completion_tokens,
    });
    expect(callsOf(required)).toHaveLength(1);
    for (const { name, input } of callsOf(required)) expectValid(name, input);
    const allowed = { mode: 'required', tools: [{ type: 'custom', custom: { name: 'sum' } }] };
    const one = await served.complete({
      ...{ messages, tools, seed, max_completion_tokens },
      tool_choice: { type: 'allowed_tools', allowed_tools: allowed },
    });
    expect(new Set(callsOf(one).map(({ name }) => name))).toEqual(new Set(['sum']));
  }
});

test('with tool_choice auto, the model decides whether to call tools, even after text, and can call several', async () => {
  const opened = await served.complete({
    messages,
    tools,
    logit_bias: calling,
    parallel_tool_calls: false,
    seed: 2,
    max_completion_tokens,
  });
  expect(opened.choices[0]!.message.content).toBe(null);
  expect(callsOf(opened)).toHaveLength(1);
  // Probabilities at each position are below 1: some text comes first.
  const weak = { [tokenId('<tool_call>')]: 5 };
  let afterText = 0;
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const completion = await served.complete({
      messages,
      tools: [clock],
      logit_bias: weak,
      temperature: 0.8,
      seed,
      max_completion_tokens,
    });
    const { content, tool_calls } = completion.choices[0]!.message;
    expect(content ?? '').not.toContain('<tool_call>');
    if (content !== null && tool_calls) afterText++;
    for (const { name, input } of callsOf(completion)) expectValid(name, input);
  }
  expect(afterText).toBeGreaterThan(0);
});

test('tool_choice none prevents calls, even in the text', async () => {
  const completion = await served.complete({ messages, tools, tool_choice: 'none', logit_bias: calling, seed: 1 });
  expect(callsOf(completion)).toEqual([]);
  expect(completion.choices[0]!.finish_reason).not.toBe('tool_calls');
  expect(completion.choices[0]!.message.content).not.toContain('<tool_call>');
});

test('a stream starts each call with its ID and name, and the concatenated deltas are the input', async () => {
  const body = {
    messages,
    tools: [weather],
    tool_choice: 'required',
    parallel_tool_calls: false,
    seed: 6,
    max_completion_tokens,
  };
  const [call] = callsOf(await served.complete(body));
  const deltas = (await served.stream(body)).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
  expect(deltas[0]).toMatchObject({ index: 0, type: 'function', function: { name: 'get_weather' } });
  expect(deltas[0]!.id).toMatch(/^call_/);
  const input = deltas.map((delta) => (delta.type === 'custom' ? '' : (delta.function?.arguments ?? ''))).join('');
  expect(input).toBe(call!.input);
});

test('completes a call at the limit, with finish_reason tool_calls', async () => {
  for (const limit of [90, 100, 110]) {
    const completion = await served.complete({
      messages,
      tools: [weather],
      tool_choice: 'required',
      seed: limit,
      temperature: 2,
      max_completion_tokens: limit,
    });
    expect(callsOf(completion).length).toBeGreaterThan(0);
    for (const { name, input } of callsOf(completion)) expectValid(name, input);
    expect(completion.choices[0]!.finish_reason).toBe('tool_calls');
    expect(completion.usage!.completion_tokens).toBeLessThanOrEqual(limit);
  }
});

test('a call that does not fit into the limit ends with finish_reason length', async () => {
  const { choices } = await served.complete({
    messages,
    tools: [weather],
    tool_choice: 'required',
    seed: 1,
    max_completion_tokens: 50,
  });
  expect(choices[0]!.finish_reason).toBe('length');
});

test('with a response format and tool_choice auto, the reply is either JSON or a call', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'boolean' } },
    required: ['a'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
  const text = await served.complete({
    messages,
    tools: [clock],
    response_format,
    temperature: 0,
    logit_bias: { [tokenId('<tool_call>')]: -100 },
  });
  expect(JSON.parse(text.choices[0]!.message.content!)).toHaveProperty('a');
  const called = await served.complete({
    messages,
    tools: [clock],
    response_format,
    seed: 1,
    logit_bias: calling,
    parallel_tool_calls: false,
  });
  expect(callsOf(called)[0]).toMatchObject({ name: 'clock', input: '{}' });
});

test('tool results are part of the next prompt', async () => {
  const conversation = [
    ...messages,
    {
      role: 'assistant',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Lyon", "days": 1}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Rain, and the river is wide.' },
  ];
  const [one, other] = [
    await served.complete({ messages: conversation, tools, temperature: 0, tool_choice: 'none' }),
    await served.complete({
      messages: [...conversation.slice(0, -1), { ...conversation.at(-1), content: 'Sun' }],
      tools,
      temperature: 0,
      tool_choice: 'none',
    }),
  ];
  expect(one.usage!.prompt_tokens).toBeGreaterThan(other.usage!.prompt_tokens + 10);
});

test('returns 400 with the path for unsupported parameters and grammars, even if the tool cannot be called', async () => {
  const strict = {
    type: 'function',
    function: {
      name: 'f',
      strict: true,
      parameters: { type: 'object', properties: { a: { not: {} } }, required: ['a'], additionalProperties: false },
    },
  };
  expect(await served.errorOf({ messages, tools: [clock, strict], tool_choice: 'none' })).toMatchObject({
    status: 400,
    code: 'invalid_json_schema',
    param: expect.stringMatching(/^tools\[1\]\.function\.parameters/) as unknown,
  });
  const lark = {
    type: 'custom',
    custom: { name: 'g', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: missing' } } },
  };
  expect(await served.errorOf({ messages, tools: [lark] })).toMatchObject({
    status: 400,
    code: 'invalid_grammar',
    param: 'tools[0].custom.format.grammar.definition',
  });
});

test('returns 400 naming the tool whose grammar exceeds the compile budget of the request', async () => {
  // More than two million steps each, of nine million for one request: a character of each second letter, counted.
  const pattern = '^[acegikmoqsuwyACEGIKM]*$';
  const large = (index: number) => ({
    type: 'function',
    function: {
      name: `f${index}`,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          [0, 1, 2, 3, 4].map((less) => [`p${less}`, { type: 'string', pattern, maxLength: 5000 - 10 * index - less }]),
        ),
      },
    },
  });
  const largeTools = Array.from({ length: 6 }, (_, index) => large(index));
  expect(await served.errorOf({ messages, tools: [clock, ...largeTools], tool_choice: 'none' })).toMatchObject({
    status: 400,
    code: 'invalid_json_schema',
    param: 'tools[5].function.parameters',
    message: expect.stringMatching(
      /function 'f4'.*more than 9,000,000 steps.*fewer tools or smaller schemas/,
    ) as unknown,
  });
});
