import { expect, test } from 'vitest';
import { failedLines } from './failed-lines.ts';

const line = (id: string, model: string): string =>
  `${JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body: { model, seed: 1 } })}\n`;
const input = line('a', 'one') + line('b', 'two') + line('c', 'three');
const errors = '{"custom_id":"a","error":{}}\n{"custom_id":"c","response":{"status_code":404}}\n';

test('takes the failed lines in their order, with their own model or another one', () => {
  expect(failedLines(input, errors, '')).toBe(line('a', 'one') + line('c', 'three'));
  expect(failedLines(input, errors, 'four')).toBe(line('a', 'four') + line('c', 'four'));
  expect(failedLines(input, '', '')).toBe('');
});
