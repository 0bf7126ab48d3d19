import { onTestFinished, expect, test } from 'vitest';
import * as z from 'zod';
import { startStrictUpstream, streamChunks } from '../testing/strict-upstream.ts';
import { startTestServer } from '../testing/test-server.ts';
import { configSchema } from '../config/schema.ts';
import type { Config } from '../config/schema.ts';

/** The fields that the minimal server supports. */
const known = z.strictObject({
  model: z.literal('tiny'),
  messages: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string() })),
  temperature: z.number().optional(),
  tools: z
    .array(z.strictObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }))
    .optional(),
  stream: z.literal(true),
  stream_options: z.unknown(),
});
type UpstreamRequest = z.infer<typeof known>;
type Reply = string | { readonly call: string }[];

/** A server app whose upstream supports only chat and function tools, and returns these replies in sequence. */
async function startInFrontOf(replies: readonly Reply[], config: Config = {}) {
  const {
    baseURL,
    asked: upstreamRequests,
    close,
  } = await startStrictUpstream({
    model: 'tiny',
    schema: known,
    reply(response, _, count) {
      const reply = replies[count - 1] ?? 'no more';
      const deltas: object[] =
        typeof reply === 'string'
          ? reply.split(/(?<= )/).map((content) => ({ content }))
          : reply.map(({ call }, index) => ({
              tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: call, arguments: '{}' } }],
            }));
      const end = { delta: {}, finish_reason: typeof reply === 'string' ? 'stop' : 'tool_calls' };
      const choices = [...deltas.map((delta) => ({ delta, finish_reason: null })), end];
      const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
      const chunks = choices.map((choice) => ({ choices: [{ index: 0, ...choice }] }));
      streamChunks(response, 'tiny', [...chunks, { choices: [], usage }]);
    },
  });
  const capabilities: NonNullable<NonNullable<Config['upstreams']>[number]['capabilities']> = {
    parameters: { ...refused, tools: 'native', temperature: 'native', response_format: 'native' },
    roles: ['system', 'user', 'assistant', 'tool'],
    response_formats: ['text'],
    tool_types: ['function'],
    tool_choices: [],
  };
  const server = await startTestServer({ simulator: false, upstreams: [{ baseURL, capabilities }], ...config });
  onTestFinished(async () => {
    await server.stop();
    close();
  });
  return { ...server, upstreamRequests };
}

const around = 'emulated' as const;
/** All capabilities that the upstream lacks. */

const refused = {
  n: around,
  stop: around,
  max_tokens: around,
  max_completion_tokens: around,
  tool_choice: around,
  parallel_tool_calls: around,
  functions: around,
  function_call: around,
  audio: 'refused',
  frequency_penalty: 'refused',
  logit_bias: 'refused',
  logprobs: 'refused',
  modalities: 'refused',
  prediction: 'refused',
  presence_penalty: 'refused',
  prompt_cache_key: 'refused',
  prompt_cache_retention: 'refused',
  reasoning_effort: 'refused',
  seed: 'refused',
  top_logprobs: 'refused',
  top_p: 'refused',
  top_k: 'refused',
  min_p: 'refused',
  repeat_penalty: 'refused',
  typical_p: 'refused',
  verbosity: 'refused',
  web_search_options: 'refused',
} as const;

const body = { model: 'tiny', messages: [{ role: 'user' as const, content: 'Where?' }] };
const tool = (name: string) => ({ type: 'function' as const, function: { name, parameters: { type: 'object' } } });
const tools = ['look', 'walk', 'ask'].map(tool);
const named = (...names: string[]) => names.map((name) => ({ type: 'function', function: { name } }));
const namesSent = (upstreamRequests: readonly UpstreamRequest[]) =>
  upstreamRequests.map((one) => one.tools?.map((sent) => sent.function.name));
const format = {
  type: 'json_schema' as const,
  json_schema: {
    name: 'place',
    strict: true,
    schema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

test('emulates n with several requests', async () => {
  const { client, upstreamRequests } = await startInFrontOf(['One', 'Two', 'Three']);
  const { choices, usage } = await client.chat.completions.create({ ...body, n: 3 });
  expect(choices.map(({ message }) => message.content).sort()).toEqual(['One', 'Three', 'Two']);
  expect({ upstreamRequests: upstreamRequests.length, usage }).toMatchObject({
    upstreamRequests: 3,
    usage: { prompt_tokens: 5, completion_tokens: 6 },
  });
});

test('truncates the reply at stop sequences and token limits', async () => {
  const { client } = await startInFrontOf(['Here and there', 'Here and there']);
  const stopped = await client.chat.completions.create({ ...body, stop: [' and'] });
  expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Here' } });
  const limited = await client.chat.completions.create({ ...body, max_completion_tokens: 2 });
  expect(limited.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Here and ' } });
});

test('sends only the named tool and retries until it is called', async () => {
  const { client, upstreamRequests } = await startInFrontOf(['I could walk.', [{ call: 'walk' }]]);
  const { choices } = await client.chat.completions.create({
    ...{ ...body, tools },
    tool_choice: { type: 'function', function: { name: 'walk' } },
  });
  expect(choices[0]?.message).toMatchObject({ content: null, tool_calls: [{ function: { name: 'walk' } }] });
  expect(namesSent(upstreamRequests)).toEqual([['walk'], ['walk']]);
});

test('sends only allowed tools, and no tools for none', async () => {
  const { client, upstreamRequests } = await startInFrontOf([
    'As you like.',
    [{ call: 'look' }, { call: 'walk' }],
    'No.',
  ]);
  const allowed = (mode: 'auto' | 'required') => ({
    type: 'allowed_tools' as const,
    allowed_tools: { mode, tools: named('look', 'walk') },
  });
  const auto = await client.chat.completions.create({ ...body, tools, tool_choice: allowed('auto') });
  expect(auto.choices[0]?.message.content).toBe('As you like.');
  const required = await client.chat.completions.create({
    ...{ ...body, tools, tool_choice: allowed('required') },
    parallel_tool_calls: false,
  });
  expect(required.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'look' } }]);
  await client.chat.completions.create({ ...body, tools, tool_choice: 'none' });
  expect(namesSent(upstreamRequests)).toEqual([['look', 'walk'], ['look', 'walk'], undefined]);
});

test('retries JSON that does not match its schema, complete and streamed', async () => {
  const replies = ['{"town": "Rome"}', '```json\n{ "city": "Rome" }\n```'];
  const { client, upstreamRequests } = await startInFrontOf([...replies, ...replies]);
  const { choices, usage } = await client.chat.completions.create({ ...body, response_format: format });
  expect(choices[0]?.message.content).toBe('{ "city": "Rome" }');
  expect(usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 4 });
  expect(upstreamRequests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  const streamed = client.chat.completions.stream({ ...body, response_format: format });
  expect(await streamed.finalContent()).toBe('{ "city": "Rome" }');
});

test('returns an error if JSON never matches its schema', async () => {
  const { client, upstreamRequests } = await startInFrontOf(['a', 'b', 'c', '{"city":"Rome"}']);
  const failed = client.chat.completions.create({ ...body, response_format: format });
  await expect(failed).rejects.toMatchObject({ status: 502, type: 'invalid_output', param: 'response_format' });
  expect(upstreamRequests).toHaveLength(3);
});

test.each([
  ['logit_bias', { logit_bias: { 5: 1 } }],
  ['logprobs', { logprobs: true }],
  ['seed', { seed: 1 }],
  ['top_p', { top_p: 0.5 }],
  ['top_k', { top_k: 5 }],
  ['min_p', { min_p: 0.1 }],
  ['repeat_penalty', { repeat_penalty: 1.1 }],
  ['typical_p', { typical_p: 0.5 }],
  ['presence_penalty', { presence_penalty: 1 }],
  ['reasoning_effort', { reasoning_effort: 'low' as const }],
  ['prediction', { prediction: { type: 'content' as const, content: 'x' } }],
  ['web_search_options', { web_search_options: {} }],
  ['prompt_cache_key', { prompt_cache_key: 'k' }],
  ['messages[0].role', { messages: [{ role: 'developer' as const, content: 'x' }] }],
])('refuses %s by name without a request to the upstream', async (param, more) => {
  const { client, upstreamRequests } = await startInFrontOf([]);
  await expect(client.chat.completions.create({ ...body, ...more })).rejects.toMatchObject({ status: 400, param });
  expect(upstreamRequests).toHaveLength(0);
});

test('a preset sets the capabilities of an upstream, and every key can read them', async () => {
  const { client } = await startInFrontOf([], {
    upstreams: [{ baseURL: 'http://127.0.0.1:9/v1', preset: 'ollama' }],
    models: { 'house/tiny': { capabilities: { parameters: { seed: 'refused' } } } },
  });
  expect(await client.get('/capabilities/house/tiny')).toMatchObject({
    model: 'house/tiny',
    parameters: { tool_choice: 'emulated', max_tokens: 'native', seed: 'refused', logit_bias: 'refused' },
    inputs: ['text', 'image', 'file'],
    // Custom tools are sent as functions.
    tool_types: ['function', 'custom'],
  });
});

test('refuses reasoning efforts that are not configured, and every key can read the configured ones', async () => {
  const { client, upstreamRequests } = await startInFrontOf(['Yes.'], {
    models: {
      tiny: {
        capabilities: {
          parameters: { ...refused, temperature: 'native', reasoning_effort: 'native' },
          efforts: { values: ['low', 'high'], default: 'high' },
        },
      },
    },
  });
  expect(await client.get('/capabilities/tiny')).toMatchObject({ reasoning_efforts: ['low', 'high'] });
  const asking = client.chat.completions.create({ ...body, reasoning_effort: 'none' });
  await expect(asking).rejects.toMatchObject({ status: 400, param: 'reasoning_effort', code: 'unsupported_value' });
  expect(upstreamRequests).toHaveLength(0);
  const wrong = { values: ['low' as const], default: 'high' as const };
  const simulator = { models: [{ id: 'thinker', efforts: wrong }] };
  expect(configSchema.safeParse({ simulator }).error?.issues[0]?.path).toContain('simulator');
});
