import { describe, expect, test } from 'vitest';
import { terminalLine } from './terminal-line.ts';

const time = '2026-01-31T12:34:56.789Z';
const timeOfDay = new Date(time).toLocaleTimeString('en-GB');

function format(fields: object): string {
  return terminalLine(`${JSON.stringify(fields)}\n`);
}

describe('a line of the log on a terminal', () => {
  test('starts with the time, the level, the message and the outcome of the request, and ends with the other fields', () => {
    const request = { method: 'POST', route: '/v1/models/{model}', status: 200, durationMs: 12.3 };
    const usage = { prompt_tokens: 1 };
    expect(
      format({ level: 'info', time, requestId: 'req_1', ...request, model: 'vendor/model:1', usage, msg: 'request' }),
    ).toBe(
      `${timeOfDay} info request POST /v1/models/{model} 200 12.3 ms requestId=req_1 model=vendor/model:1 usage={"prompt_tokens":1}\n`,
    );
  });

  test('has only the time, the level and the message where there are no fields', () => {
    expect(format({ level: 'warn', time, msg: 'traces are not exported' })).toBe(
      `${timeOfDay} warn traces are not exported\n`,
    );
  });

  test.each(['a b', 'x=1 level=error', '\n', '\u001B[31m', '\u007F', '\u009B31m', '\u202E', '"', ''])(
    'keeps text of clients that could control the terminal or imitate fields in JSON: %j',
    (text) => {
      const line = format({ level: 'info', time, method: text, route: text, model: text, msg: 'request' });
      expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
      const [, model = ''] = /model=(.*)\n$/s.exec(line) ?? [];
      expect(JSON.parse(model)).toBe(text);
    },
  );
});
