import { expect, test } from 'vitest';
import { textOf } from './results.ts';

const reasoning = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Let me think.' }] };

test.each([
  [{ choices: [{ message: { content: 'Hello' } }] }, 'Hello'],
  [{ choices: [{ text: 'Hello' }] }, 'Hello'],
  [{ output: [reasoning, { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }] }, 'Hello'],
  [{ output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'I cannot help.' }] }] }, 'I cannot help.'],
  [{ results: [{ flagged: true }] }, 'flagged'],
  [{ data: [] }, '{"data":[]}'],
])('the text of %j is %j', (body, text) => {
  expect(textOf(body)).toBe(text);
});
