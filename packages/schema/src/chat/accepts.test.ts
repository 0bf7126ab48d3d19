import { describe, expect, test } from 'vitest';
import { parseChatCompletionCreate } from './parse.ts';

const user = { role: 'user', content: 'Hello' };
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{' } };
const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: null } };
const request = (fields: object): unknown => ({ model: 'm', messages: [user], ...fields });

const NULLABLE = [
  ...['store', 'reasoning_effort', 'metadata', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs'],
  ...['top_logprobs', 'max_tokens', 'max_completion_tokens', 'n', 'modalities', 'prediction', 'audio', 'seed'],
  ...[
    'service_tier',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'top_p',
    'top_k',
    'min_p',
    'repeat_penalty',
    'typical_p',
    'safety_identifier',
  ],
  ...['moderation', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'verbosity'],
];

describe('accepts, with all fields unchanged', () => {
  test.each([
    ['a plain request', request({})],
    [
      'null where the interface or the official types say so',
      request(Object.fromEntries(NULLABLE.map((key) => [key, null]))),
    ],
    [
      'an assistant message with a refusal',
      request({ messages: [user, { role: 'assistant', content: null, refusal: 'No.' }] }),
    ],
    [
      'a generated message sent back as it came',
      request({ messages: [user, { role: 'assistant', content: 'Hi', refusal: null, annotations: [] }] }),
    ],
    [
      'an assistant message that refers to its audio',
      request({ messages: [user, { role: 'assistant', content: null, audio: { id: 'a' } }] }),
    ],
    [
      'calls with all their answers, in any order',
      request({
        messages: [
          user,
          { role: 'assistant', tool_calls: [call, { id: 'b', type: 'custom', custom: { name: 'c', input: '' } }] },
          { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'x' }] },
          { role: 'tool', tool_call_id: 'call_1', content: 'y' },
          user,
        ],
      }),
    ],
    [
      'every kind of part',
      request({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: '' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
              { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
              { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
              { type: 'file', file: { file_id: 'file-1' } },
              { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
            ],
          },
        ],
      }),
    ],
    [
      'a single refusal part',
      request({ messages: [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'No' }] }] }),
    ],
    ['parallel_tool_calls at its default, without tools', request({ parallel_tool_calls: true })],
    ['tools without tool_choice', request({ tools: [tool], parallel_tool_calls: false })],
    ['a forced tool', request({ tools: [tool], tool_choice: { type: 'function', function: { name: 'f' } } })],
    [
      'allowed tools',
      request({
        tools: [tool],
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
        },
      }),
    ],
    ["tool_choice 'none' without tools", request({ tool_choice: 'none' })],
    ['deprecated functions', request({ functions: [{ name: 'f' }], function_call: { name: 'f' } })],
    ['equal token limits', request({ max_tokens: 5, max_completion_tokens: 5 })],
    ['audio without audio output, where it has no effect', request({ audio: { voice: 'alloy', format: 'wav' } })],
    ['audio output', request({ modalities: ['text', 'audio'], audio: { voice: { id: 'v' }, format: 'pcm16' } })],
    [
      'json_object with the word in a text part',
      request({
        response_format: { type: 'json_object' },
        messages: [{ role: 'developer', content: [{ type: 'text', text: 'Answer in JSON.' }] }],
      }),
    ],
    [
      'web search near a place',
      request({
        web_search_options: {
          user_location: { type: 'approximate', approximate: { country: 'DE', timezone: 'Europe/Berlin' } },
        },
      }),
    ],
    [
      'a country in small letters, and no country',
      request({ web_search_options: { user_location: { approximate: { country: 'gb', city: 'Leeds' } } } }),
    ],
    [
      'the limits themselves',
      request({ n: 128, temperature: 2, top_p: 0, logprobs: true, top_logprobs: 20, seed: -5 }),
    ],
    ['a seed of 64 bits', request({ seed: 2n ** 63n - 1n })],
    ['values counted in characters, not code units', request({ metadata: { key: '\u{1F600}'.repeat(512) } })],
    ['lone surrogates', request({ messages: [{ role: 'user', content: '\uD800' }] })],
  ])('%s', (_, body) => {
    expect(parseChatCompletionCreate(body)).toEqual({ ok: true, value: body });
  });
});

test('rejects text that exceeds the limit by one character', () => {
  const parsed = parseChatCompletionCreate(request({ metadata: { key: '\u{1F600}'.repeat(513) } }));
  expect(parsed).toMatchObject({ ok: false, problem: { code: 'string_above_max_length', param: 'metadata.key' } });
});

test('keeps unknown fields at every level if the option is set, and still validates the known ones', () => {
  const body = {
    model: 'm',
    colour: 'red',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', weight: 2 }], mood: 'good' }],
    tools: [{ type: 'function', function: { name: 'f', cached: true } }],
  };
  expect(parseChatCompletionCreate(body, { unknownFields: 'keep' })).toEqual({ ok: true, value: body });
  expect(parseChatCompletionCreate({ ...body, n: 0 }, { unknownFields: 'keep' })).toMatchObject({
    ok: false,
    problem: { code: 'integer_below_min_value', param: 'n' },
  });
  expect(
    parseChatCompletionCreate({ ...body, metadata: { ['k'.repeat(65)]: '' } }, { unknownFields: 'keep' }),
  ).toMatchObject({ ok: false, problem: { param: 'metadata' } });
});
