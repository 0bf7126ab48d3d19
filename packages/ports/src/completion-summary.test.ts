import { expect, test } from 'vitest';
import { completionRecord } from './suites/stores/records.ts';
import { summarizeCompletion } from './completion-summary.ts';
import type { StoredCompletion } from './completion-store.ts';

function withReply(message: Partial<StoredCompletion['choices'][number]['message']>): StoredCompletion {
  const { completion } = completionRecord();
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('The record has no choice');
  return {
    ...completion,
    tools: [],
    request_parameters: { n: 1 },
    choices: [{ ...choice, message: { ...choice.message, ...message } }],
  };
}

test('leaves out choices, tools and the parameters of the request, and keeps usage and the first 200 characters of the reply', () => {
  const { excerpt, choices, usage, ...rest } = summarizeCompletion(withReply({ content: 'x'.repeat(1000) }));
  expect({ excerpt, choices, usage }).toEqual({
    excerpt: 'x'.repeat(200),
    choices: [],
    usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  });
  expect(rest).not.toHaveProperty('tools');
  expect(rest).not.toHaveProperty('request_parameters');
});

test('shows a refusal, the tool call of a reply without text, and null for an empty reply', () => {
  expect(summarizeCompletion(withReply({ content: null, refusal: 'No.' })).excerpt).toBe('No.');
  expect(summarizeCompletion(withReply({ content: null, refusal: null })).excerpt).toBeNull();
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'get_weather', arguments: '{"city":"Bern"}' },
  } as const;
  const reply = { content: null, refusal: null, tool_calls: [call] };
  expect(summarizeCompletion(withReply(reply)).excerpt).toBe('get_weather({"city":"Bern"})');
});

test('does not end with half a surrogate pair', () => {
  expect(summarizeCompletion(withReply({ content: `${'x'.repeat(199)}😀` })).excerpt).toBe('x'.repeat(199));
});
