import { describe, expect, test } from 'vitest';
import { parseChatCompletionCreate } from './parse.ts';

const user = { role: 'user', content: 'Hello' };
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const tool = { type: 'function', function: { name: 'f' } };
const custom = { type: 'custom', custom: { name: 'c' } };

/** A request that is valid except for the given fields. */
const request = (fields: object): unknown => ({ model: 'm', messages: [user], ...fields });
const conversation = (...messages: object[]): unknown => request({ messages });
const parts = (...content: object[]): unknown => conversation({ role: 'user', content });
const withTool = (fields: object): unknown => request({ tools: [tool], ...fields });
const located = (approximate: object): unknown => request({ web_search_options: { user_location: { approximate } } });
const parsedJson = (text: string): unknown => JSON.parse(text);

type Refusal = readonly [body: unknown, code: string, param: string | null];

const shape: readonly Refusal[] = [
  [null, 'invalid_type', null],
  [[], 'invalid_type', null],
  ['{}', 'invalid_type', null],
  [{}, 'missing_required_parameter', 'messages'],
  [{ messages: [user] }, 'missing_required_parameter', 'model'],
  [request({ model: '' }), 'empty_string', 'model'],
  [request({ model: null }), 'invalid_type', 'model'],
  [request({ messages: [] }), 'empty_array', 'messages'],
  [request({ messages: 'Hello' }), 'invalid_type', 'messages'],
  [request({ colour: 'red' }), 'unknown_parameter', 'colour'],
  [request({ store: 'yes' }), 'invalid_type', 'store'],
  [request({ reasoning_effort: 'huge' }), 'invalid_value', 'reasoning_effort'],
  [request({ frequency_penalty: 2.1 }), 'decimal_above_max_value', 'frequency_penalty'],
  [request({ presence_penalty: -2.1 }), 'decimal_below_min_value', 'presence_penalty'],
  [request({ logit_bias: { '50256': 101 } }), 'decimal_above_max_value', 'logit_bias.50256'],
  [request({ logit_bias: { '50256': -101 } }), 'decimal_below_min_value', 'logit_bias.50256'],
  [request({ logit_bias: { hello: 1 } }), 'invalid_value', 'logit_bias.hello'],
  [request({ logit_bias: { '-1': 1 } }), 'invalid_value', 'logit_bias.-1'],
  [request({ logprobs: 1 }), 'invalid_type', 'logprobs'],
  [request({ logprobs: true, top_logprobs: 21 }), 'integer_above_max_value', 'top_logprobs'],
  [request({ logprobs: true, top_logprobs: -1 }), 'integer_below_min_value', 'top_logprobs'],
  [request({ max_tokens: 0 }), 'integer_below_min_value', 'max_tokens'],
  [request({ max_completion_tokens: 0 }), 'integer_below_min_value', 'max_completion_tokens'],
  [request({ max_completion_tokens: 1.5 }), 'invalid_type', 'max_completion_tokens'],
  [request({ n: 0 }), 'integer_below_min_value', 'n'],
  [request({ n: 129 }), 'integer_above_max_value', 'n'],
  [request({ modalities: ['text', 'smell'] }), 'invalid_value', 'modalities[1]'],
  [request({ modalities: [] }), 'empty_array', 'modalities'],
  [request({ prediction: { type: 'guess', content: '' } }), 'invalid_value', 'prediction.type'],
  [request({ prediction: { type: 'content' } }), 'missing_required_parameter', 'prediction.content'],
  [request({ audio: { format: 'wav' } }), 'missing_required_parameter', 'audio.voice'],
  [request({ audio: { voice: 'nobody', format: 'wav' } }), 'invalid_value', 'audio.voice'],
  [request({ audio: { voice: { id: 1 }, format: 'wav' } }), 'invalid_type', 'audio.voice.id'],
  [request({ audio: { voice: 'alloy', format: 'ogg' } }), 'invalid_value', 'audio.format'],
  [request({ response_format: { type: 'xml' } }), 'invalid_value', 'response_format.type'],
  [request({ response_format: {} }), 'missing_required_parameter', 'response_format.type'],
  [request({ response_format: { type: 'json_schema' } }), 'missing_required_parameter', 'response_format.json_schema'],
  [
    request({ response_format: { type: 'json_schema', json_schema: { name: 'a b' } } }),
    'invalid_value',
    'response_format.json_schema.name',
  ],
  [request({ seed: 2 ** 60 }), 'invalid_value', 'seed'],
  [request({ seed: 1.5 }), 'invalid_type', 'seed'],
  [request({ seed: '7' }), 'invalid_type', 'seed'],
  [request({ service_tier: 'gold' }), 'invalid_value', 'service_tier'],
  [request({ stop: ['a', 'b', 'c', 'd', 'e'] }), 'array_above_max_length', 'stop'],
  [request({ stop: '' }), 'empty_string', 'stop'],
  [request({ stop: ['a', 5] }), 'invalid_type', 'stop[1]'],
  [request({ stop: 5 }), 'invalid_type', 'stop'],
  [request({ stream: 'true' }), 'invalid_type', 'stream'],
  [request({ stream: true, stream_options: { usage: true } }), 'unknown_parameter', 'stream_options.usage'],
  [request({ temperature: 2.01 }), 'decimal_above_max_value', 'temperature'],
  [request({ temperature: '1' }), 'invalid_type', 'temperature'],
  [request({ top_p: -0.1 }), 'decimal_below_min_value', 'top_p'],
  [request({ tools: [] }), 'empty_array', 'tools'],
  [request({ tools: [{ type: 'browser' }] }), 'invalid_value', 'tools[0].type'],
  [request({ tools: [{ type: 'function', function: {} }] }), 'missing_required_parameter', 'tools[0].function.name'],
  [
    request({ tools: [{ type: 'function', function: { name: 'n'.repeat(65) } }] }),
    'string_above_max_length',
    'tools[0].function.name',
  ],
  [
    request({ tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar' } } }] }),
    'missing_required_parameter',
    'tools[0].custom.format.grammar',
  ],
  [withTool({ tool_choice: 'always' }), 'invalid_value', 'tool_choice'],
  [withTool({ tool_choice: 1 }), 'invalid_type', 'tool_choice'],
  [withTool({ tool_choice: { type: 'function' } }), 'missing_required_parameter', 'tool_choice.function'],
  [
    withTool({ tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'none', tools: [tool] } } }),
    'invalid_value',
    'tool_choice.allowed_tools.mode',
  ],
  [request({ verbosity: 'loud' }), 'invalid_value', 'verbosity'],
  [request({ prompt_cache_retention: '48h' }), 'invalid_value', 'prompt_cache_retention'],
  [request({ prompt_cache_options: { mode: 'none' } }), 'invalid_value', 'prompt_cache_options.mode'],
  [request({ prompt_cache_options: { ttl: '12h' } }), 'invalid_value', 'prompt_cache_options.ttl'],
  [located({ country: 'USA' }), 'invalid_value', 'web_search_options.user_location.approximate.country'],
  [located({ country: 'XX' }), 'invalid_value', 'web_search_options.user_location.approximate.country'],
  [located({ country: 'UK' }), 'invalid_value', 'web_search_options.user_location.approximate.country'],
  [located({ timezone: 'Mars/Olympus' }), 'invalid_value', 'web_search_options.user_location.approximate.timezone'],
  [located({ timezone: '+01:00' }), 'invalid_value', 'web_search_options.user_location.approximate.timezone'],
  [request({ functions: [{ name: 'a.b' }] }), 'invalid_value', 'functions[0].name'],
  [request({ function_call: 'required' }), 'invalid_value', 'function_call'],
  [request({ metadata: { key: 1 } }), 'invalid_type', 'metadata.key'],
  [request({ metadata: { key: 'v'.repeat(513) } }), 'string_above_max_length', 'metadata.key'],
  [request({ metadata: { ['k'.repeat(65)]: 'v' } }), 'string_above_max_length', 'metadata'],
  [
    request({ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])) }),
    'object_above_max_properties',
    'metadata',
  ],
  [
    parsedJson('{"model":"m","messages":[{"role":"user","content":"x"}],"metadata":{"__proto__":"v"}}'),
    'unknown_parameter',
    'metadata.__proto__',
  ],
];

const messages: readonly Refusal[] = [
  [conversation({ content: 'Hello' }), 'missing_required_parameter', 'messages[0].role'],
  [conversation({ role: 'bot', content: 'Hello' }), 'invalid_value', 'messages[0].role'],
  [request({ messages: [user, 'Hello'] }), 'invalid_type', 'messages[1]'],
  [conversation({ role: 'user' }), 'missing_required_parameter', 'messages[0].content'],
  [conversation({ role: 'user', content: 5 }), 'invalid_type', 'messages[0].content'],
  [conversation({ role: 'user', content: null }), 'invalid_type', 'messages[0].content'],
  [conversation({ role: 'user', content: [] }), 'empty_array', 'messages[0].content'],
  [conversation({ role: 'user', content: 'Hello', mood: 'good' }), 'unknown_parameter', 'messages[0].mood'],
  [conversation({ role: 'user', content: 'Hello', name: 1 }), 'invalid_type', 'messages[0].name'],
  [
    conversation({ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://a.b/c' } }] }),
    'invalid_value',
    'messages[0].content[0].type',
  ],
  [parts({ type: 'text' }), 'missing_required_parameter', 'messages[0].content[0].text'],
  [parts({ type: 'text', text: 'a' }, { type: 'video' }), 'invalid_value', 'messages[0].content[1].type'],
  [parts({ type: 'image_url', image_url: 'https://a.b/c.png' }), 'invalid_type', 'messages[0].content[0].image_url'],
  [parts({ type: 'image_url', image_url: { url: 5 } }), 'invalid_type', 'messages[0].content[0].image_url.url'],
  [
    parts({ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }),
    'invalid_value',
    'messages[0].content[0].image_url.url',
  ],
  [
    parts({ type: 'image_url', image_url: { url: 'data:image/png;base64,%%%' } }),
    'invalid_value',
    'messages[0].content[0].image_url.url',
  ],
  [
    parts({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }),
    'invalid_value',
    'messages[0].content[0].input_audio.format',
  ],
  [
    parts({ type: 'input_audio', input_audio: { data: 'not base64!', format: 'wav' } }),
    'invalid_value',
    'messages[0].content[0].input_audio.data',
  ],
  [parts({ type: 'file', file: {} }), 'missing_required_parameter', 'messages[0].content[0].file'],
  [
    parts({ type: 'file', file: { file_id: 'file-1', file_data: 'AAAA' } }),
    'invalid_value',
    'messages[0].content[0].file',
  ],
  [conversation(user, { role: 'assistant' }), 'missing_required_parameter', 'messages[1].content'],
  [conversation(user, { role: 'assistant', content: null }), 'missing_required_parameter', 'messages[1].content'],
  [
    conversation({
      role: 'assistant',
      content: [
        { type: 'text', text: 'a' },
        { type: 'refusal', refusal: 'b' },
      ],
    }),
    'invalid_value',
    'messages[0].content[1]',
  ],
  [
    conversation({
      role: 'assistant',
      content: [
        { type: 'refusal', refusal: 'a' },
        { type: 'refusal', refusal: 'b' },
      ],
    }),
    'invalid_value',
    'messages[0].content[0]',
  ],
  [conversation({ role: 'assistant', tool_calls: [] }), 'missing_required_parameter', 'messages[0].content'],
  [
    conversation({ role: 'assistant', tool_calls: [{ ...call, id: undefined }] }),
    'missing_required_parameter',
    'messages[0].tool_calls[0].id',
  ],
  [
    conversation({ role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'c' } }] }),
    'missing_required_parameter',
    'messages[0].tool_calls[0].custom.input',
  ],
  [conversation({ role: 'tool', content: 'a' }), 'missing_required_parameter', 'messages[0].tool_call_id'],
  [
    conversation(user, { role: 'tool', content: 'a', tool_call_id: 'call_1' }),
    'invalid_value',
    'messages[1].tool_call_id',
  ],
  [
    conversation({ role: 'assistant', tool_calls: [call] }, { role: 'tool', content: 'a', tool_call_id: 'call_2' }),
    'invalid_value',
    'messages[1].tool_call_id',
  ],
  [conversation({ role: 'assistant', tool_calls: [call] }, user), 'invalid_value', 'messages[0].tool_calls[0].id'],
  [
    conversation(
      { role: 'assistant', tool_calls: [call, { ...call, id: 'call_2' }] },
      { role: 'tool', content: 'a', tool_call_id: 'call_1' },
    ),
    'invalid_value',
    'messages[0].tool_calls[1].id',
  ],
  [conversation({ role: 'function', content: 'a' }), 'missing_required_parameter', 'messages[0].name'],
];

const rules: readonly Refusal[] = [
  [request({ top_logprobs: 3 }), 'invalid_value', 'top_logprobs'],
  [request({ logprobs: false, top_logprobs: 0 }), 'invalid_value', 'top_logprobs'],
  [request({ stream_options: { include_usage: true } }), 'invalid_value', 'stream_options'],
  [request({ modalities: ['text', 'audio'] }), 'missing_required_parameter', 'audio'],
  [request({ max_tokens: 5, max_completion_tokens: 6 }), 'invalid_value', 'max_tokens'],
  [request({ tool_choice: 'auto' }), 'invalid_value', 'tool_choice'],
  [request({ tool_choice: tool }), 'invalid_value', 'tool_choice'],
  [
    withTool({ tool_choice: { type: 'function', function: { name: 'g' } } }),
    'invalid_value',
    'tool_choice.function.name',
  ],
  [withTool({ tool_choice: { type: 'custom', custom: { name: 'f' } } }), 'invalid_value', 'tool_choice.custom.name'],
  [
    withTool({ tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool, custom] } } }),
    'invalid_value',
    'tool_choice.allowed_tools.tools[1].custom.name',
  ],
  [request({ tools: [tool, custom, tool] }), 'invalid_value', 'tools[2].function.name'],
  [request({ parallel_tool_calls: false }), 'invalid_value', 'parallel_tool_calls'],
  [request({ stop: 'x'.repeat(2049) }), 'string_above_max_length', 'stop'],
  [request({ stop: ['a', '\ude00'] }), 'invalid_value', 'stop[1]'],
  [request({ function_call: 'auto' }), 'invalid_value', 'function_call'],
  [request({ functions: [{ name: 'f' }], function_call: { name: 'g' } }), 'invalid_value', 'function_call.name'],
  [request({ functions: [{ name: 'f' }, { name: 'f' }] }), 'invalid_value', 'functions[1].name'],
  [withTool({ functions: [{ name: 'f' }] }), 'invalid_value', 'functions'],
  [request({ response_format: { type: 'json_object' } }), 'invalid_value', 'messages'],
];

describe.each([
  ['shape', shape],
  ['messages', messages],
  ['rules between fields', rules],
])('%s', (_, refusals) => {
  test.each(refusals)('refuses %j with %s, naming %s', (body, code, param) => {
    const parsed = parseChatCompletionCreate(body);
    expect(parsed.ok ? 'accepted' : parsed.problem).toMatchObject({ type: 'invalid_request_error', code, param });
  });
});

describe('error messages name the field, the problem and the expected value', () => {
  test.each([
    [
      conversation({ role: 'user', content: 5 }),
      "Invalid type for 'messages[0].content': expected one of a string or an array of content parts, but got an integer instead.",
    ],
    [request({ temperature: 3 }), "Invalid 'temperature': expected a value <= 2, but got 3 instead."],
    [
      request({ verbosity: 'loud' }),
      "Invalid value for 'verbosity': 'loud'. Supported values are: 'low', 'medium' or 'high'.",
    ],
    [request({ colour: 'red' }), "Unknown parameter: 'colour'."],
    [{ messages: [user] }, "Missing required parameter: 'model'."],
    [request({ messages: [] }), "Invalid 'messages': it must not be an empty array."],
    [
      request({ stop: ['a', 'b', 'c', 'd', 'e'] }),
      "Invalid 'stop': expected an array with at most 4 items, but it has 5.",
    ],
    [
      withTool({ tool_choice: 1 }),
      "Invalid type for 'tool_choice': expected one of 'none', 'auto' or 'required' or an object, but got an integer instead.",
    ],
  ])('%j', (body, message) => {
    const parsed = parseChatCompletionCreate(body);
    expect(parsed.ok ? 'accepted' : parsed.problem.message).toBe(message);
  });
});

test.each([
  [
    2n ** 63n,
    'integer_above_max_value',
    "Invalid 'seed': expected a value <= 9223372036854775807, but got 9223372036854775808 instead.",
  ],
  [
    -(2n ** 63n) - 1n,
    'integer_below_min_value',
    "Invalid 'seed': expected a value >= -9223372036854775808, but got -9223372036854775809 instead.",
  ],
])('refuses the seed %s, naming the limit of 64 bits', (seed, code, message) => {
  expect(parseChatCompletionCreate(request({ seed }))).toMatchObject({ problem: { param: 'seed', code, message } });
});
