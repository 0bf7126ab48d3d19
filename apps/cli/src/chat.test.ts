import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { lines, ran } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

describe('chat, one answer', () => {
  test('writes the answer, and a newline at its end', async () => {
    const { code, out, err } = await ran(['chat', '-t', '0', 'What', 'is', '6 * 7?'], { env: server.env });
    expect({ code, err }).toEqual({ code: EXIT.ok, err: '' });
    expect(out).toMatch(/42[^]*\n$/);
  });

  test('puts what is piped in before the prompt', async () => {
    const { out } = await ran(['chat', '-t', '0', '--json', 'Count'], { env: server.env, stdin: 'What is 6 * 7?\n' });
    expect(lines(out)).toMatchObject([{ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] }]);
  });

  test('says nothing without a prompt, and how to give one', async () => {
    const { code, err } = await ran(['chat'], { env: server.env });
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('nothing to say');
  });

  test('ends with its own code when the answer was cut', async () => {
    const { code, err } = await ran(['chat', '--max-tokens', '2', 'Tell me about rivers'], { env: server.env });
    expect(code).toBe(EXIT.bad);
    expect(err).toContain('--max-tokens');
  });
});
