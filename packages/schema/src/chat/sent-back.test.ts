import { describe, expect, test } from 'vitest';
import { parseChatCompletionCreate } from './parse.ts';

const user = { role: 'user', content: 'What is the weather in Paris?' };
const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };
const result = { role: 'tool', tool_call_id: 'call_1', content: '21' };

/** Assistant messages that clients return, as programs send them back in the next request. */
const returned: readonly (readonly [client: string, message: object, read: object])[] = [
  [
    'Python parse(), model_dump()',
    {
      content: '{"city":"Paris"}',
      refusal: null,
      role: 'assistant',
      annotations: null,
      audio: null,
      function_call: null,
      tool_calls: null,
      parsed: { city: 'Paris' },
    },
    { content: '{"city":"Paris"}', refusal: null, role: 'assistant', audio: null, function_call: null },
  ],
  [
    'Python stream().get_final_completion() with a tool call',
    {
      content: null,
      refusal: null,
      role: 'assistant',
      parsed: null,
      tool_calls: [{ ...call, index: 0, function: { ...call.function, parsed_arguments: { city: 'Paris' } } }],
    },
    { content: null, refusal: null, role: 'assistant', tool_calls: [call] },
  ],
  [
    'LiteLLM',
    {
      content: null,
      role: 'assistant',
      tool_calls: [
        { index: 0, function: { arguments: '{"city":"Paris"}', name: 'get_weather' }, id: 'call_1', type: 'function' },
      ],
      function_call: null,
      provider_specific_fields: { refusal: null },
    },
    { content: null, role: 'assistant', tool_calls: [call], function_call: null },
  ],
  [
    'a model that reasons',
    {
      role: 'assistant',
      content: 'Sunny.',
      reasoning_content: 'Hm.',
      reasoning: 'Hm.',
      reasoning_details: [{ text: 'Hm.' }],
    },
    { role: 'assistant', content: 'Sunny.', reasoning_content: 'Hm.' },
  ],
  [
    'vLLM, where lists are empty instead of absent',
    { role: 'assistant', content: 'Sunny.', tool_calls: [], annotations: [], function_call: null, refusal: null },
    { role: 'assistant', content: 'Sunny.', annotations: [], function_call: null, refusal: null },
  ],
  [
    'a spoken answer',
    { role: 'assistant', content: null, audio: { id: 'audio_1', data: 'AAAA', expires_at: 1, transcript: 'Sunny.' } },
    { role: 'assistant', content: null, audio: { id: 'audio_1' } },
  ],
  [
    'text parts with annotations, and members nobody knows',
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'Sunny.', annotations: [] }],
      id: 'msg_1',
      made_up: { a: [1] },
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Sunny.' }] },
  ],
];

describe('an assistant message that a client returned is accepted unchanged', () => {
  test.each(returned)('%s', (_, message, read) => {
    const answers = 'tool_calls' in read ? [result] : [];
    const parsed = parseChatCompletionCreate({ model: 'm', messages: [user, message, ...answers] });
    expect(parsed).toStrictEqual({ ok: true, value: { model: 'm', messages: [user, read, ...answers] } });
  });

  test('provider_metadata is kept, because the provider of the model requires it', () => {
    const provider_metadata = { provider: 'anthropic', parts: [{ type: 'reasoning', text: 'Hm.', signature: null }] };
    const message = { role: 'assistant', content: 'Sunny.', provider_metadata };
    const body = { model: 'm', messages: [user, message] };
    expect(parseChatCompletionCreate(body)).toStrictEqual({ ok: true, value: body });
  });

  test('its unknown members are kept where the server keeps unknown fields', () => {
    const message = { role: 'assistant', content: 'Sunny.', reasoning_content: 'Hm.' };
    const body = { model: 'm', messages: [user, message] };
    expect(parseChatCompletionCreate(body, { unknownFields: 'keep' })).toEqual({ ok: true, value: body });
  });
});

test.each([{}, { unknownFields: 'keep' as const }])(
  'empty tool_calls are no reply: content is required (%o)',
  (options) => {
    const message = { role: 'assistant', content: null, tool_calls: [], function_call: null };
    expect(parseChatCompletionCreate({ model: 'm', messages: [user, message] }, options)).toMatchObject({
      problem: { code: 'missing_required_parameter', param: 'messages[1].content' },
    });
  },
);

test('unknown members of other messages are refused by name', () => {
  const parsed = parseChatCompletionCreate({ model: 'm', messages: [{ ...user, parsed: {} }] });
  expect(parsed).toMatchObject({ problem: { code: 'unknown_parameter', param: 'messages[0].parsed' } });
});

test('the content of an assistant message is still validated', () => {
  const wrong = { role: 'assistant', tool_calls: [{ ...call, index: 0, function: { name: 'get_weather' } }] };
  expect(parseChatCompletionCreate({ model: 'm', messages: [user, wrong] })).toMatchObject({
    problem: { param: 'messages[1].tool_calls[0].function.arguments' },
  });
});
