import { expect, test } from 'vitest';
import { failedLines } from './failed-lines.ts';

const line = (id: string, model: string): string =>
  `{"custom_id": "${id}", "method": "POST", "url": "/v1/chat/completions", "body": {"tools": [{"model": "x"}], "model": ${model}, "seed": 9007199254740993}}\n`;
const input = `${line('a', '"o{ne"')}${line('b', '"two"')}{"custom_id":1}\n${line('c', '"th\\"ree"')}`;
const errors = '{"custom_id":"a","error":{}}\nno JSON\n{"custom_id":"c","response":{"status_code":404}}\n';

test('takes the failed lines in their order without a change of their text', () => {
  expect(failedLines(input, errors, '')).toBe(line('a', '"o{ne"') + line('c', '"th\\"ree"'));
  expect(failedLines(input, 'no JSON\n', '')).toBe('');
});

test('replaces only the model of the body', () => {
  expect(failedLines(input, errors, 'fo"ur')).toBe(line('a', '"fo\\"ur"') + line('c', '"fo\\"ur"'));
});
