import { expect, test, vi } from 'vitest';
import type { CapabilitiesInit, ChatEvent, ChatRequest } from '@modelwire/ports';
import type { ChatCompletionTool, ResponseFormat } from '@modelwire/schema/types';
import type OpenAI from 'openai';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import type { ServerOptions } from '../options/options.ts';
import { RequestError } from '../errors.ts';
import type { RequestLogEntry } from '../request-log.ts';
import { listen } from '../testing/listen.ts';
import { memoryWork } from '../testing/memory-work.ts';
import { eventsOf, postResponse, refusalOf } from '../testing/responses.ts';
import { patient } from '../testing/serve-batches.ts';
import { says, scriptedEngine, slowly } from '../testing/scripted-engine.ts';

const schema = {
  type: 'object',
  properties: { n: { type: 'integer' }, s: { type: 'string' } },
  required: ['n'],
} as const;
const format = { type: 'json_schema', json_schema: { name: 'one', schema } } as const satisfies ResponseFormat;
const body = { model: 'scripted', messages: [{ role: 'user' as const, content: 'hi' }] };
const prompted: CapabilitiesInit = {
  parameters: { response_format: 'native', tools: 'native', n: 'native', logprobs: 'native' },
  tool_types: ['function', 'custom'],
};

/** A server with an engine that gives these replies, one for each request. */
async function replying(
  replies: readonly (Iterable<ChatEvent> | AsyncIterable<ChatEvent>)[],
  can: CapabilitiesInit = {},
  options: Partial<ServerOptions> = {},
) {
  let at = 0;
  const logged: RequestLogEntry[] = [];
  const engine = scriptedEngine(() => replies[at++] ?? [], { can: { ...prompted, ...can } });
  const { client, ...listening } = await listen({ engines: [engine], log: (entry) => logged.push(entry), ...options });
  return {
    ...listening,
    client,
    asked: engine.asked,
    logged,
    complete: () => client.chat.completions.create({ ...body, response_format: format }).withResponse(),
    /** The pieces of the content of a stream, and its finish reason. */
    async stream(more: object = {}) {
      const stream = await client.chat.completions.create({ ...body, response_format: format, ...more, stream: true });
      const pieces: string[] = [];
      let finish: string | null = null;
      for await (const { choices } of stream) {
        const [choice] = choices;
        if (choice?.delta.content) pieces.push(choice.delta.content);
        finish = choice?.finish_reason ?? finish;
      }
      return { pieces, text: pieces.join(''), finish };
    },
  };
}

/** A reply that is an error. */
async function* refusing(message: string, status = 400): AsyncGenerator<ChatEvent> {
  throw new RequestError(message, { status });
}

const finish = (reason: 'stop' | 'length' | 'tool_calls'): ChatEvent => ({ type: 'finish', choice: 0, reason });
const text = (content: string): ChatEvent => ({ type: 'text', choice: 0, text: content });
const contents = (request: ChatRequest | undefined) => request?.messages.map(({ role, content }) => [role, content]);

test('a right document passes byte for byte, with one request, whole and streamed', async () => {
  const written = ['{\n  "s": "tr', 'ue, ```",', ' "n" : 1.0, "mo', 're": [1]}\n'];
  const whole = await replying([says(...written)]);
  const { data, response } = await whole.complete();
  expect(data.choices[0]?.message.content).toBe(written.join(''));
  expect(response.headers.get('x-modelwire-attempts')).toBe('1');
  const streamed = await replying([says(...written)]);
  expect(await streamed.stream()).toEqual({
    pieces: ['{\n  "s": "tr', 'ue, ```"', ', "n" : 1.0', ', "more": [1]}', '\n'],
    text: written.join(''),
    finish: 'stop',
  });
  expect([whole.asked.length, streamed.asked.length]).toEqual([1, 1]);
});

test('a format that the engine does not support is requested in the prompt; usage is the sum of all attempts', async () => {
  const replies = [says('{"n":', '"x"}'), says('```json\n{"n": 1}\n```')];
  const { complete, asked } = await replying(replies, { assistant_prefill: false });
  const { data, response } = await complete();
  expect(data.choices[0]?.message.content).toBe('{"n": 1}');
  expect(data.usage).toEqual({ prompt_tokens: 6, completion_tokens: 3, total_tokens: 9 });
  expect(response.headers.get('x-modelwire-attempts')).toBe('2');
  expect(asked.map(({ request }) => request.response_format)).toEqual([{ type: 'text' }, { type: 'text' }]);
  expect(contents(asked[0]?.request)).toEqual([
    ['system', expect.stringContaining(JSON.stringify(schema))],
    ['user', 'hi'],
  ]);
  expect(contents(asked[1]?.request)?.slice(2)).toEqual([
    ['assistant', '{"n":"x"}'],
    [
      'user',
      expect.stringMatching(
        /it does not match the schema at \$\.n \(character 5\)[\s\S]*begin with exactly this text: \{"n":$/,
      ),
    ],
  ]);
});

test.each([
  ['cleaned', 'Sure: ```json\n{\'n\': 1, "s": None,}\n```', '{"n": 1, "s": null}', { ...schema, properties: {} }],
  ['closed', '{"n": 1, "s": "a"', '{"n": 1, "s": "a"}', schema],
])('a reply is %s without another request', async (step, written, valid, schema) => {
  const of = { type: 'json_schema', json_schema: { name: 'one', schema } } as const;
  for (const stream of [false, true]) {
    const { client, asked, logged, ...server } = await replying([says(...written.split(/(?<=,)/))]);
    const found = stream
      ? (await server.stream({ response_format: of })).text
      : (await client.chat.completions.create({ ...body, response_format: of })).choices[0]?.message.content;
    expect(found).toBe(valid);
    expect(asked).toHaveLength(1);
    expect(logged[0]).toMatchObject({ outputAttempts: 1, outputSteps: [step] });
  }
});

test.each([
  ['the rest', ' 2}', '{"s":"a","n": 2}'],
  ['the whole document', '```\n{ "s": "a", "n": 2, "t": 3}```', '{"s":"a","n": 2, "t": 3}'],
])('a stream goes on from where it was with %s', async (_, answer, whole) => {
  const { stream, asked, logged } = await replying([says('{"s":"a"', ',"n":', '"x"', '}'), says(...answer.split(''))]);
  const { pieces, text: content } = await stream();
  expect(content).toBe(whole);
  expect(pieces[0]).toBe('{"s":"a"');
  expect(asked).toHaveLength(2);
  expect(logged[0]).toMatchObject({
    outputAttempts: 2,
    outputSteps: ['continued'],
    // The first attempt is estimated: it was aborted before its usage.
    usage: { completion_tokens: 3 + answer.length },
  });
});

test('an engine that continues an assistant message receives the valid prefix as one', async () => {
  const { stream, asked } = await replying([says('{"s":"a","n":x'), says('2}')], { assistant_prefill: true });
  expect((await stream()).text).toBe('{"s":"a","n":2}');
  expect(contents(asked[1]?.request)?.at(-1)).toEqual(['assistant', '{"s":"a","n":']);
});

test('an engine that begins again twice, or refuses the valid prefix, receives an instruction from then on', async () => {
  const invalid = () => says('{"s":"a","n":x');
  const ways = (asked: readonly { readonly request: ChatRequest }[]) =>
    asked.flatMap(({ request }) => (request.messages.length > 2 ? [request.continue_final_message === true] : []));
  const whole = '{"s":"a","n":1}';
  const ignoring = await replying(Array.from({ length: 3 }, () => [invalid(), says(whole)]).flat());
  for (let count = 0; count < 3; count++) expect((await ignoring.stream()).text).toBe(whole);
  expect(ways(ignoring.asked)).toEqual([true, true, false]);

  const replies = [invalid(), refusing('roles must alternate'), says('1}'), invalid(), says(whole)];
  const refused = await replying(replies);
  for (let count = 0; count < 2; count++) expect((await refused.stream()).text).toBe(whole);
  expect(ways(refused.asked)).toEqual([true, false, false]);
  expect(refused.logged[0]).toMatchObject({ outputAttempts: 3, outputSteps: ['continued'] });

  const continuing = await replying([invalid(), says('1}'), invalid(), says('{'), says(whole), invalid(), says('2}')], {
    assistant_prefill: true,
  });
  for (const text of [whole, whole, '{"s":"a","n":2}']) expect((await continuing.stream()).text).toBe(text);
  expect(ways(continuing.asked)).toEqual([true, true, false, true]);
});

test('a repair that the engine refuses is an attempt, and an engine that fails is its own error', async () => {
  const refused = await replying([says('x'), refusing('too long'), says('{"n":1}')]);
  const { choices, usage } = (await refused.complete()).data;
  expect(choices[0]?.message.content).toBe('{"n":1}');
  expect(usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 2 });
  const never = await replying([says('x'), refusing('too long'), refusing('too long')]);
  await expect(never.complete()).rejects.toMatchObject({
    ...{ status: 502, code: 'invalid_output', message: expect.stringContaining('it has no JSON') as string },
  });
  const failed = await replying([says('x'), refusing('overloaded', 503)]);
  await expect(failed.complete()).rejects.toMatchObject({ status: 503 });
});

test('after a continuation that fails, the next attempt goes on from what it added', async () => {
  async function* breaking(): AsyncGenerator<ChatEvent> {
    yield* slowly([text('{"n":1,'), text('"s":"a')]);
    throw new RequestError('broken', { status: 502 });
  }
  const { stream, asked } = await replying([says('{"n":x'), breaking(), says('b"}')]);
  expect((await stream()).text).toBe('{"n":1,"s":"ab"}');
  expect(asked.map(({ request }) => request.continue_final_message)).toEqual([undefined, true, undefined]);
  expect(JSON.stringify(asked[2]?.request.messages.at(-1))).toContain(
    'begin with exactly this text: {\\"n\\":1,\\"s\\":\\"a',
  );
});

test('a repair without a finish reason is an error of the engine', async () => {
  const { complete } = await replying([says('{"n":x'), [text('1}')]]);
  await expect(complete()).rejects.toMatchObject({ status: 500 });
});

test.each<[ResponseFormat, string, string]>([
  [{ type: 'json_object' }, '[1]', '{"a":1}'],
  [{ type: 'json_object' }, '{"a":1,7:2}', '{"a":1,"b":2}'],
  [{ type: 'json_schema', json_schema: { name: 'loose', schema } }, '{"more":1,"n":"x"}', '{"more":1,"n":2}'],
  [{ type: 'json_schema', json_schema: { name: 'any' } }, '{"a":tru}', '{"a":true}'],
])('%j is repaired', async (response_format, invalid, valid) => {
  const messages = [{ role: 'user' as const, content: 'JSON, please' }];
  for (const isStreamed of [false, true]) {
    const { stream, client, asked } = await replying([says(invalid), says(valid)]);
    const params = { ...body, messages, response_format };
    const content = isStreamed
      ? (await stream(params)).text
      : (await client.chat.completions.create(params)).choices[0]?.message.content;
    expect(content).toBe(valid);
    expect(asked).toHaveLength(2);
  }
});

test('a fresh document counts in a stream only if it begins with what was sent', async () => {
  const replies = [says('{"s":"a","n":x'), says('{"s":"b","n":1}'), says('{"s":"a","n":3}')];
  const { stream, logged } = await replying(replies);
  expect((await stream()).text).toBe('{"s":"a","n":3}');
  expect(logged[0]).toMatchObject({ outputAttempts: 3, outputSteps: ['repeated'] });
  const whole = await replying([says('{"s":"a","n":x'), says('{"s":"b","n":1}')]);
  expect((await whole.complete()).data.choices[0]?.message.content).toBe('{"s":"b","n":1}');
});

test('a reply that never becomes valid is a 502 that clients do not retry, and an error event in a stream that has begun', async () => {
  const never = () => [says('a'), says('{"n":"b"}'), says('c'), says('{"n":1}')];
  const whole = await replying(never());
  await expect(whole.complete()).rejects.toMatchObject({
    ...{ status: 502, type: 'invalid_output', code: 'invalid_output', param: 'response_format' },
    message: expect.stringContaining('after 3 attempts: it has no JSON (character 1)') as string,
  });
  expect(whole.asked).toHaveLength(3);
  expect(whole.logged[0]).toMatchObject({ outputAttempts: 3, outputSteps: ['failed'] });
  const before = await replying([says('no')], {}, { structuredOutputAttempts: 1 });
  await expect(before.stream()).rejects.toMatchObject({ status: 502, code: 'invalid_output' });
  const begun = await replying([slowly(says('{"n":1,', '"s":', '1}')), says('no'), says('no')]);
  await expect(begun.stream()).rejects.toMatchObject({ code: 'invalid_output', status: undefined });
});

test.each<[string, ChatEvent[], object]>([
  ['length', [text('{"n'), finish('length')], { content: '{"n' }],
  ['length', [text('{"n":"x"'), finish('length')], { content: '{"n":"x"' }],
  ['stop', [{ type: 'refusal', choice: 0, text: 'No.' }, finish('stop')], { refusal: 'No.' }],
])('passes refusals and truncated replies: %s', async (reason, events, message) => {
  const { complete, asked } = await replying([events]);
  expect((await complete()).data.choices[0]).toMatchObject({ finish_reason: reason, message });
  expect(asked).toHaveLength(1);
});

test('a continuation that is truncated ends with length', async () => {
  const { stream } = await replying([says('{"n":x'), [text('12'), finish('length')]]);
  expect(await stream()).toMatchObject({ text: '{"n":', finish: 'length' });
});

test('each of several choices becomes valid, those that are right with the first request', async () => {
  const choice = (index: number, ...pieces: string[]): ChatEvent[] => [
    ...pieces.map((piece) => ({ type: 'text', choice: index, text: piece }) as const),
    { type: 'finish', choice: index, reason: 'stop' },
  ];
  const { client, asked } = await replying([[...choice(0, '{"n":1}'), ...choice(1, '{"n":', 'x}')], says('2}')]);
  const { choices } = await client.chat.completions.create({ ...body, response_format: format, n: 2 });
  expect(choices.map(({ message }) => message.content)).toEqual(['{"n":1}', '{"n":2}']);
  expect(asked.map(({ request }) => request.n)).toEqual([2, 1]);
});

test('choices for an engine that generates one at a time are repaired alone, and the prompts of all attempts count', async () => {
  const one = { parameters: { ...prompted.parameters, n: 'emulated' } } as const;
  for (const stream of [false, true]) {
    // The first replies of both choices, then the repair of the second.
    const { client, asked, logged } = await replying([says('{"n":1}'), says('{"n":', '"x"}'), says('2}')], one);
    const params = { ...body, response_format: format, n: 2 };
    const contents = ['', ''];
    if (stream) {
      for await (const { choices } of await client.chat.completions.create({ ...params, stream }))
        for (const { index, delta } of choices) contents[index] = `${contents[index]}${delta.content ?? ''}`;
    } else {
      const { choices } = await client.chat.completions.create(params);
      for (const { index, message } of choices) contents[index] = `${contents[index]}${message.content ?? ''}`;
    }
    expect(contents).toEqual(['{"n":1}', '{"n":2}']);
    expect(asked).toHaveLength(3);
    const completion_tokens = stream ? 1 + 1 + 1 : 1 + 2 + 1;
    const { usage } = logged[0] ?? {};
    expect(usage?.completion_tokens).toBeGreaterThanOrEqual(completion_tokens);
    if (!stream) expect(usage?.prompt_tokens).toBe(3 + 3);
  }
});

test('log probabilities stay with the text that the model wrote', async () => {
  const logprob = (token: string) => ({ token, bytes: null, logprob: -1, top_logprobs: [] });
  const pieces = ['{"n"', ':', '1', ',', '"s":', '""}'];
  const events = pieces.map((piece): ChatEvent => ({ ...text(piece), logprobs: [logprob(piece)] }) as ChatEvent);
  const { client } = await replying([[...events, finish('stop')]]);
  const stream = await client.chat.completions.create({
    ...{ ...body, response_format: format, logprobs: true, stream: true },
  });
  const tokens: string[] = [];
  for await (const { choices } of stream)
    tokens.push(...(choices[0]?.logprobs?.content ?? []).map(({ token }) => token));
  expect(tokens).toEqual(pieces);
});

const strict = {
  type: 'function',
  function: {
    name: 'f',
    strict: true,
    parameters: { ...schema, required: ['n', 's'], additionalProperties: false },
  },
} as const satisfies ChatCompletionTool;
const regex = {
  type: 'custom',
  custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[a-z]+\\d' } } },
} as const satisfies ChatCompletionTool;
function* call(kind: 'function' | 'custom', name: string, index: number, ...pieces: string[]): Generator<ChatEvent> {
  yield { type: 'tool_call', choice: 0, index, id: `call_${index}`, kind, name };
  for (const piece of pieces) yield { type: 'tool_input', choice: 0, index, kind, text: piece };
}

test('the arguments of strict functions and the input of custom tools become valid, in parallel calls', async () => {
  const calls = () => [
    ...call('function', 'f', 0, '{"s":"a",', '"n":', '"x"}'),
    ...call('function', 'loose', 1, 'anything'),
    ...call('custom', 'c', 2, 'ab', '-'),
    finish('tool_calls'),
  ];
  const loose = { type: 'function', function: { name: 'loose' } } as const;
  const tools = [strict, loose, regex];
  const { client, asked } = await replying([calls(), says('1}'), says('ab7')]);
  const { choices } = await client.chat.completions.create({ ...body, response_format: format, tools });
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      tool_calls: [
        { function: { arguments: '{"s":"a","n":1}' } },
        { function: { arguments: 'anything' } },
        { custom: { input: 'ab7' } },
      ],
    },
  });
  expect(asked.map(({ request }) => request.tools.length)).toEqual([3, 0, 0]);
  expect(JSON.stringify(asked[0]?.request.tools)).toContain('matches this regular expression: [a-z]+');

  const streamed = await replying([calls(), says('1}'), says('ab7')]);
  const stream = await streamed.client.chat.completions.create({ ...body, tools, stream: true });
  const inputs = ['', '', ''];
  for await (const {
    choices: [choice],
  } of stream)
    for (const { index, function: f, ...delta } of choice?.delta.tool_calls ?? [])
      inputs[index] = `${inputs[index]}${f?.arguments ?? customInputOf(delta) ?? ''}`;
  expect(inputs).toEqual(['{"s":"a","n":1}', 'anything', 'ab7']);
});

test('calls of functions in place of custom tools become valid: their arguments, then the input in them', async () => {
  const free = { type: 'custom', custom: { name: 'free' } } as const;
  const wrong = () => [
    ...call('function', 'c', 0, '{"input"', ':"ab', '7",}'),
    ...call('function', 'free', 1, '{"input":"any', ' text", "more": 1}'),
    finish('tool_calls'),
  ];
  const right = () => [...call('function', 'c', 0, '{"input": "ab', '-"}'), finish('tool_calls')];
  for (const stream of [false, true]) {
    const ofArguments = await replying([wrong(), says('}')], { tool_types: ['function'] });
    const params = { ...body, tools: [regex, free] };
    expect(await argumentsOf(ofArguments.client, params, stream)).toEqual(['ab7', 'any text']);
    expect(ofArguments.logged[0]).toMatchObject({ outputAttempts: 2, outputSteps: ['cleaned', 'continued'] });
    const ofInput = await replying([right(), says('ab7')], { tool_types: ['function'] });
    expect(await argumentsOf(ofInput.client, params, stream)).toEqual(['ab7']);
    expect(ofInput.logged[0]).toMatchObject({ outputAttempts: 2 });
    const never = await replying([wrong(), says('x'), says('y')], { tool_types: ['function'] });
    await expect(argumentsOf(never.client, params, stream)).rejects.toMatchObject({ code: 'invalid_output' });
  }
});

test.each(['guaranteed', 'native', 'off'] as const)(
  'a custom tool takes text that is not JSON: %s',
  async (structured_outputs) => {
    const free = { type: 'custom', custom: { name: 'free' } } as const;
    const texts = [
      ['print(', '"hi")\n'],
      ['  ', '42'],
      ['{"code":', '1}'],
      ['{', 'x}'],
      ['{"input":"a', '"}'],
    ];
    const calls = [
      ...texts.flatMap((pieces, index) => [...call('function', 'free', index, ...pieces)]),
      finish('tool_calls'),
    ];
    for (const stream of [false, true]) {
      const { client, asked } = await replying([calls], { tool_types: ['function'], structured_outputs });
      expect(await argumentsOf(client, { ...body, tools: [free] }, stream)).toEqual([
        ...['print("hi")\n', '  42', '{"code":1}', '{x}', 'a'],
      ]);
      expect(asked).toHaveLength(1);
    }
  },
);

test('a second input, which is no string, is invalid after the first one', async () => {
  const free = { type: 'custom', custom: { name: 'free' } } as const;
  const calls = [...call('function', 'free', 0, '{"input":"a"', ',"input":5}'), finish('tool_calls')];
  for (const stream of [false, true]) {
    const { client } = await replying([calls], { tool_types: ['function'], structured_outputs: 'off' });
    const reply = argumentsOf(client, { ...body, tools: [free] }, stream);
    await expect(reply).rejects.toMatchObject({ code: 'invalid_output' });
  }
});

const allowed = (mode: 'auto' | 'required'): ChatCompletionToolChoiceOption => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'f' } }] },
});

test.each<[ChatCompletionToolChoiceOption]>([
  ['auto'],
  ['required'],
  [{ type: 'function', function: { name: 'f' } }],
  [allowed('auto')],
  [allowed('required')],
])('arguments become valid with the tool choice %j, whether the engine knows it or not', async (tool_choice) => {
  for (const support of ['native', 'emulated'] as const) {
    for (const stream of [false, true]) {
      const parameters = { ...prompted.parameters, tool_choice: support, parallel_tool_calls: support };
      const events = [...call('function', 'f', 0, '{"s":"a",', '"n":', 'x}'), finish('tool_calls')];
      const { client, asked, logged } = await replying([events, says('1}')], { parameters });
      const params = { ...body, tools: [strict], tool_choice, parallel_tool_calls: false };
      expect(await argumentsOf(client, params, stream)).toEqual(['{"s":"a","n":1}']);
      expect(asked[1]?.request).toMatchObject({ tools: [], tool_choice: 'none' });
      expect(logged[0]).toMatchObject({ outputAttempts: 2, outputSteps: ['continued'] });
    }
  }
});

/** Which the types of the SDK do not have. */
const customInputOf = (delta: object) => (delta as { custom?: { input?: string } }).custom?.input;

/** The arguments of the calls of a reply. */
async function argumentsOf(client: OpenAI, params: ChatCompletionCreateParamsNonStreaming, stream: boolean) {
  const found: string[] = [];
  if (!stream) {
    const { choices } = await client.chat.completions.create(params);
    for (const one of choices[0]?.message.tool_calls ?? [])
      found.push(one.type === 'function' ? one.function.arguments : one.custom.input);
    return found;
  }
  for await (const { choices } of await client.chat.completions.create({ ...params, stream }))
    for (const { index, function: piece, ...delta } of choices[0]?.delta.tool_calls ?? [])
      found[index] = (found[index] ?? '') + (piece?.arguments ?? customInputOf(delta) ?? '');
  return found;
}

test('text before a call is no document', async () => {
  const events = [text('I call '), text('{f}'), ...call('function', 'f', 0, '{"s":"","n":1}'), finish('tool_calls')];
  const { client, asked } = await replying([events]);
  const { choices } = await client.chat.completions.create({ ...body, response_format: format, tools: [strict] });
  expect(choices[0]?.message).toMatchObject({ content: 'I call {f}', tool_calls: [{ id: 'call_0' }] });
  expect(asked).toHaveLength(1);
});

test('an engine with grammars receives the format, and an invalid reply is an error', async () => {
  const native: CapabilitiesInit = { structured_outputs: 'native', response_formats: ['text', 'json_schema'] };
  const { complete, asked } = await replying([says('{"n":1}'), says('```{"n":1}```')], native);
  expect((await complete()).data.choices[0]?.message.content).toBe('{"n":1}');
  expect(asked[0]?.request).toMatchObject({ response_format: format, messages: body.messages });
  await expect(complete()).rejects.toMatchObject({ status: 502, code: 'invalid_output' });
  expect(asked).toHaveLength(2);
  // The server asks for a format that the engine does not support.
  const object = await replying([says('no JSON'), says('{}')], native);
  const messages = [{ role: 'user' as const, content: 'JSON, please' }];
  const { choices } = await object.client.chat.completions.create({
    ...{ ...body, messages, response_format: { type: 'json_object' } },
  });
  expect(choices[0]?.message.content).toBe('{}');
});

test('without structured outputs, replies pass as they are, and formats that the engine does not support are refused', async () => {
  const off: CapabilitiesInit = { structured_outputs: 'off', response_formats: ['text', 'json_schema'] };
  const { client, complete } = await replying([says('no')], off);
  const { data, response } = await complete();
  expect(data.choices[0]?.message.content).toBe('no');
  expect(response.headers.get('x-modelwire-attempts')).toBeNull();
  const messages = [{ role: 'user' as const, content: 'JSON, please' }];
  const refused = client.chat.completions.create({ ...body, messages, response_format: { type: 'json_object' } });
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'response_format.type' });
});

test('refuses a schema that cannot be enforced, and names the part, before calling the engine', async () => {
  const { client, asked } = await replying([]);
  const wrong = { type: 'object', properties: { n: { type: 'string', pattern: '(?=a)' } } };
  const of = { type: 'json_schema', json_schema: { name: 'one', schema: wrong } } as const;
  await expect(client.chat.completions.create({ ...body, response_format: of })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_json_schema',
    param: 'response_format.json_schema.schema.properties.n.pattern',
  });
  expect(asked).toHaveLength(0);
});

const textFormat = { format: { type: 'json_schema', name: 'one', schema } } as const;
const ask = { model: 'scripted', input: 'hi', text: textFormat };

test('a response has the text of its format, whole, streamed and in the background', async () => {
  const replies = () => [says('```json\n{"n":x'), says('1}')];
  const whole = await replying(replies());
  const { output_text: output, usage } = await whole.client.responses.create(ask);
  expect(output).toBe('{"n":1}');
  expect(usage).toMatchObject({ input_tokens: 6, output_tokens: 2 });

  const streamed = await replying(replies());
  const events = await eventsOf(await postResponse(streamed.url, { ...ask, stream: true }));
  const deltas = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []));
  expect(deltas.join('')).toBe('{"n":1}');
  expect(events).toContainEqual(expect.objectContaining({ type: 'response.output_text.done', text: '{"n":1}' }));
  expect(events.at(-1)).toMatchObject({ type: 'response.completed' });

  const { stores, blobs } = memoryWork();
  const later = await replying(replies(), {}, { stores, blobs, jobTimes: { pollMs: 5 } });
  const { id } = await later.client.responses.create({ ...ask, background: true });
  await vi.waitFor(async () => {
    const { status, output_text: text } = await later.client.responses.retrieve(id);
    expect([status, text]).toEqual(['completed', '{"n":1}']);
  }, patient);
  expect(later.asked).toHaveLength(2);
});

test('a response whose text never becomes valid fails', async () => {
  const replies = () => [slowly(says('{"n":1,', '"s":', '1}')), says('no'), says('no')];
  const whole = await replying(replies());
  expect(await refusalOf(await postResponse(whole.url, ask))).toMatchObject({
    ...{ status: 502, code: 'invalid_output', param: 'text.format' },
  });
  const streamed = await replying(replies());
  const events = await eventsOf(await postResponse(streamed.url, { ...ask, stream: true }));
  expect(events.map(({ type }) => type)).not.toContain('response.output_text.done');
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { code: 'invalid_output' } } });
});
