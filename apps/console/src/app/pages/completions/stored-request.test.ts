import type { ChatCompletionStoredMessage, StoredChatCompletion } from '@modelwire/client';
import { expect, it } from 'vitest';
import { buildStoredRequest } from './stored-request.ts';

const completion: StoredChatCompletion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'small',
  choices: [
    { index: 0, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', content: 'Yes.', refusal: null } },
  ],
  temperature: 0.5,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  seed: null,
  tools: null,
  tool_choice: null,
  response_format: { type: 'json_object' },
  input_user: 'ann',
  metadata: { team: 'search' },
};
const message = (changes: Partial<ChatCompletionStoredMessage>): ChatCompletionStoredMessage => ({
  id: 'm',
  role: 'user',
  content: null,
  refusal: null,
  name: null,
  content_parts: null,
  ...changes,
});
const reply = message({ role: 'assistant', content: 'Yes.' });

it('contains the stored parameters except those with default values, and not the reply', () => {
  expect(buildStoredRequest(completion, [message({ content: 'Is it?' }), reply])).toEqual({
    model: 'small',
    messages: [{ role: 'user', content: 'Is it?' }],
    temperature: 0.5,
    response_format: { type: 'json_object' },
    user: 'ann',
    store: true,
    metadata: { team: 'search' },
  });
});

it('contains the parameters of `request_parameters`, and the requested model', () => {
  const request_parameters = { model: 'alias', n: 1, max_completion_tokens: 9, stop: ['a', 'b'], logit_bias: null };
  expect(
    buildStoredRequest({ ...completion, request_parameters }, [message({ content: 'Is it?' }), reply]),
  ).toMatchObject({
    model: 'alias',
    messages: [{ role: 'user', content: 'Is it?' }],
    n: 1,
    max_completion_tokens: 9,
    stop: ['a', 'b'],
    temperature: 0.5,
  });
});

it('keeps roles, names, images, tool calls and their results', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } } as const;
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
  const { messages } = buildStoredRequest(completion, [
    message({ role: 'developer', content: 'Be brief.' }),
    message({ name: 'ann', content: 'Look', content_parts: [{ type: 'text', text: 'Look' }, image] }),
    message({ role: 'assistant', tool_calls: [call] }),
    message({ role: 'tool', content: 'A cat', tool_call_id: 'call_1' }),
    reply,
  ]);
  expect(messages).toEqual([
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', name: 'ann', content: [{ type: 'text', text: 'Look' }, image] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: 'A cat', tool_call_id: 'call_1' },
  ]);
});
