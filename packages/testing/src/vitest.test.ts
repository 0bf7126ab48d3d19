import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { useTestServer } from './vitest.ts';

const server = useTestServer({ replies: [{ when: { message: 'Hello' }, reply: 'Good day.' }], expect: 'all' });

const say = async (content: string, more: object = {}): Promise<string | null | undefined> => {
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey, maxRetries: 0 });
  const { choices } = await client.chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content }],
    ...more,
    stream: false,
  });
  return choices[0]?.message.content;
};

describe('one server for all tests of a file', () => {
  let before = '';

  test('has its rules, those that a test adds, and stored data', async () => {
    before = server.baseURL;
    server.reply({ when: { message: 'Hello' }, reply: 'First this.', times: 1 });
    server.fault({ fault: 'server-error', skip: 2 });
    expect(await say('Hello', { store: true })).toBe('First this.');
    expect(await say('Hello')).toBe('Good day.');
    await expect(say('Hello')).rejects.toThrow('500');
    expect(server.requests).toHaveLength(3);
  });

  test('is reset for the next test, at the same address', async () => {
    expect(server.baseURL).toBe(before);
    expect(server.requests).toEqual([]);
    expect(await say('Hello')).toBe('Good day.');
    const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey });
    expect((await client.chat.completions.list()).data).toEqual([]);
  });
});
