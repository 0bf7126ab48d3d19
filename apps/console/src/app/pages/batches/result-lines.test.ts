import { expect, it } from 'vitest';
import { parseResultLines } from './result-lines.ts';

const reply = {
  custom_id: 'a',
  response: { status_code: 200, body: { choices: [{ message: { content: 'Hello' } }] } },
  error: null,
};
const failure = {
  custom_id: 'b',
  response: { status_code: 400, body: { error: { message: 'Unknown model' } } },
  error: null,
};
const expired = { custom_id: 'c', response: null, error: { code: 'batch_expired', message: 'Too late' } };
const text = [reply, failure, expired].map((line) => JSON.stringify(line)).join('\n');

it('reads replies, failed responses and errors without a response', () => {
  expect(parseResultLines(text, false)).toEqual([
    { customId: 'a', status: 200, failed: false, text: 'Hello' },
    { customId: 'b', status: 400, failed: true, text: 'Unknown model' },
    { customId: 'c', status: undefined, failed: true, text: 'Too late' },
  ]);
});

it('omits the last line of a truncated text', () => {
  expect(parseResultLines(`${text}\n{"custom_id":`, true)).toHaveLength(3);
});

it('shows the JSON of bodies that are not chat completions', () => {
  const line = JSON.stringify({
    custom_id: 'd',
    response: { status_code: 200, body: { object: 'list' } },
    error: null,
  });
  expect(parseResultLines(line, false)[0]?.text).toBe('{"object":"list"}');
});
