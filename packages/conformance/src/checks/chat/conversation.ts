import type { Check } from '../../check.ts';
import { textAt } from '../../exchange/value.ts';
import type { Answer } from '../../exchange/answer.ts';
import { parameterEffect } from '../parameter-effect.ts';
import { assertConforms } from '../../verdict.ts';

const CREATE = 'chat.completions.create';
const section = 'Create chat completion: Message types';
const user = { role: 'user', content: 'Say hello.' };
/** One red pixel. */
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='; // prettier-ignore
/** A WAV file with one sample. */
const SOUND = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==';

const expectation = (answer: Answer): void =>
  assertConforms(
    answer,
    textAt(answer.json, 'choices', 0, 'message', 'role') === 'assistant',
    'There is no answer of an assistant.',
  );

const taken = (name: string, title: string, messages: readonly object[], more: object = {}): Check =>
  parameterEffect(CREATE, `messages.${name}`, { title, section, param: ['messages', ...Object.keys(more)], fields: { messages, ...more }, effect: expectation }); // prettier-ignore

const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"word":"sea"}' } };
const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }];

/** Every kind of message and of part, taken or honestly refused. */
export const conversationChecks: readonly Check[] = [
  taken('developer', 'A developer message is taken', [{ role: 'developer', content: 'Be brief.' }, user]),
  taken('system', 'A system message is taken', [{ role: 'system', content: 'Be brief.', name: 'house' }, user]),
  taken('system-parts', 'A system message may be text parts', [{ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }, user]), // prettier-ignore
  taken('name', 'A user message may have a name', [{ ...user, name: 'ann' }]),
  taken('parts', 'A user message may be several text parts', [
    { role: 'user', content: [{ type: 'text', text: 'Say ' }, { type: 'text', text: 'hello.' }] }, // prettier-ignore
  ]),
  taken('assistant', 'An earlier answer is taken', [
    user,
    { role: 'assistant', content: 'Hello!', refusal: null },
    user,
  ]),
  taken('assistant-parts', 'An earlier answer may be text parts', [user, { role: 'assistant', content: [{ type: 'text', text: 'Hello!' }] }, user]), // prettier-ignore
  taken('assistant-refusal', 'An earlier answer may be one refusal part', [user, { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }, user]), // prettier-ignore
  taken('tool', 'A call and the answer of its tool are taken', [user, { role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: 'call_1', content: 'wet' }], { tools }), // prettier-ignore
  taken('custom-tool', 'A call of a custom tool and its answer are taken', [
    user,
    { role: 'assistant', tool_calls: [{ id: 'call_2', type: 'custom', custom: { name: 'note', input: 'x' } }] },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'noted' }] },
  ], { tools: [{ type: 'custom', custom: { name: 'note' } }] }), // prettier-ignore
  taken('function', 'A function message, deprecated, is still taken', [user, { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }, { role: 'function', name: 'f', content: 'x' }]), // prettier-ignore
  taken('image', 'An image as data URL is taken', [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url', image_url: { url: PIXEL, detail: 'low' } }] }]), // prettier-ignore
  taken('audio', 'Audio is taken', [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: SOUND, format: 'wav' } }] }]), // prettier-ignore
  taken('file', 'A file in base64 is taken', [{ role: 'user', content: [{ type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGVsbG8=' } }] }]), // prettier-ignore
];
