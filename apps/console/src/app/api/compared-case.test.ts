import { expect, test } from 'vitest';
import { parseCases } from './compared-case.ts';

const line = {
  id: 'chatcmpl-1',
  difference: 'told_apart',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url' }] },
  ],
  baseline: { model: 'large', text: 'A cat.', usage: { completion_tokens: 3 }, cost: 0.2, duration_ms: 90 },
  candidate: { error: { code: 'model_not_found', message: 'No such model.' } },
  scores: [{ baseline: 1, candidate: 0 }, null, { error: { code: null, message: 'No verdict.' } }],
};

test('a case has its messages as text, its replies and its scores, or why there is none', () => {
  expect(parseCases(`${JSON.stringify(line)}\n\n`)).toEqual([
    {
      id: 'chatcmpl-1',
      difference: 'told_apart',
      messages: [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'What is this?\n[image_url]' },
      ],
      baseline: { model: 'large', text: 'A cat.', tokens: 3, cost: 0.2, durationMs: 90 },
      candidate: { error: 'No such model.' },
      scores: [{ baseline: 1, candidate: 0 }, undefined, { error: 'No verdict.' }],
    },
  ]);
});

test('a reply without usage, cost and duration is a reply', () => {
  const reply = { model: 'small', text: '', usage: null, cost: null, duration_ms: null };
  const [parsed] = parseCases(JSON.stringify({ ...line, candidate: reply }));
  expect(parsed?.candidate).toEqual({ model: 'small', text: '' });
});

test('a line that is not a case is left out', () => {
  const text = `${JSON.stringify(line)}\n{"id":"chatcmpl-2","diff\n[]\n${JSON.stringify(line)}`;
  expect(parseCases(text).map(({ id }) => id)).toEqual(['chatcmpl-1', 'chatcmpl-1']);
});
