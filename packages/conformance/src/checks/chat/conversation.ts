import type { Check } from '../../check.ts';
import { textAt } from '../../exchange/value.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { parameterEffect } from '../parameter-effect.ts';
import { assertConforms } from '../../verdict.ts';

const CREATE = 'chat.completions.create';
const section = 'Create chat completion: Message types';
const user = { role: 'user', content: 'Say hello.' };
/** One red pixel. */
const PNG_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV file with one sample. */
const WAV_SAMPLE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==';

const assertAssistantMessage = (response: CompleteResponse): void =>
  assertConforms(
    response,
    textAt(response.json, 'choices', 0, 'message', 'role') === 'assistant',
    'There is no assistant message.',
  );

const acceptsMessages = (name: string, title: string, messages: readonly object[], extra: object = {}): Check =>
  parameterEffect(CREATE, `messages.${name}`, {
    title,
    section,
    param: ['messages', ...Object.keys(extra)],
    fields: { messages, ...extra },
    effect: assertAssistantMessage,
  });

const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"word":"sea"}' } };
const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }];

/** Every type of message and content part, accepted or rejected with a 400. */
export const conversationChecks: readonly Check[] = [
  acceptsMessages('developer', 'Accepts a developer message', [{ role: 'developer', content: 'Be brief.' }, user]),
  acceptsMessages('system', 'Accepts a system message', [
    { role: 'system', content: 'Be brief.', name: 'house' },
    user,
  ]),
  acceptsMessages('system-parts', 'Accepts a system message of text parts', [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    user,
  ]),
  acceptsMessages('name', 'Accepts a user message with a name', [{ ...user, name: 'ann' }]),
  acceptsMessages('parts', 'Accepts a user message of several text parts', [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Say ' },
        { type: 'text', text: 'hello.' },
      ],
    },
  ]),
  acceptsMessages('assistant', 'Accepts an assistant message', [
    user,
    { role: 'assistant', content: 'Hello!', refusal: null },
    user,
  ]),
  acceptsMessages('assistant-parts', 'Accepts an assistant message of text parts', [
    user,
    { role: 'assistant', content: [{ type: 'text', text: 'Hello!' }] },
    user,
  ]),
  acceptsMessages('assistant-refusal', 'Accepts an assistant message of one refusal part', [
    user,
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    user,
  ]),
  acceptsMessages(
    'tool',
    'Accepts a tool call with its tool message',
    [
      user,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'wet' },
    ],
    { tools },
  ),
  acceptsMessages(
    'custom-tool',
    'Accepts a custom tool call with its tool message',
    [
      user,
      { role: 'assistant', tool_calls: [{ id: 'call_2', type: 'custom', custom: { name: 'note', input: 'x' } }] },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'noted' }] },
    ],
    { tools: [{ type: 'custom', custom: { name: 'note' } }] },
  ),
  acceptsMessages('function', 'Accepts a deprecated function message', [
    user,
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: 'x' },
  ]),
  acceptsMessages('image', 'Accepts an image as data URL', [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: PNG_PIXEL, detail: 'low' } },
      ],
    },
  ]),
  acceptsMessages('audio', 'Accepts audio input', [
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: WAV_SAMPLE, format: 'wav' } }] },
  ]),
  acceptsMessages('file', 'Accepts a file in base64', [
    {
      role: 'user',
      content: [{ type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGVsbG8=' } }],
    },
  ]),
];
