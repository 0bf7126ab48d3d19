import { expect, test } from 'vitest';
import { inputMessages, OutputMessages } from './message-content.ts';

test('input messages contain texts, tool calls and their results; other parts have the type other', () => {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'get_weather', arguments: '{"city":"Rome"}' },
  } as const;
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Weather?' }, image] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ] as const;
  expect(JSON.parse(inputMessages({ messages }))).toEqual([
    { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Weather?' }, { type: 'other' }] },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome"}' }],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: 'sunny' }] },
  ]);
});

test('output messages are collected from events', () => {
  const output = new OutputMessages();
  output.add({ type: 'text', choice: 0, text: 'It is ' });
  output.add({ type: 'text', choice: 0, text: 'sunny.' });
  output.add({ type: 'tool_call', choice: 1, index: 0, id: 'call_1', kind: 'function', name: 'get_weather' });
  output.add({ type: 'tool_input', choice: 1, index: 0, kind: 'function', text: '{}' });
  output.add({ type: 'finish', choice: 0, reason: 'stop' });
  output.add({ type: 'finish', choice: 1, reason: 'tool_calls' });
  expect(JSON.parse(output.text())).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'It is sunny.' }], finish_reason: 'stop' },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: '{}' }],
      finish_reason: 'tool_calls',
    },
  ]);
});

test('long texts are truncated', () => {
  const messages = [{ role: 'user', content: 'a'.repeat(100_000) }] as const;
  expect(inputMessages({ messages }).length).toBeLessThan(66_000);
});
