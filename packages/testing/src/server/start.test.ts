import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { startTestServer } from '../index.ts';

const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] } as const;

test('an official client gets a scripted reply, whole and streamed, with a port and without', async () => {
  await using server = await startTestServer({ replies: 'Good day to you.' });
  const { baseURL, apiKey } = server;
  for (const client of [new OpenAI({ baseURL, apiKey }), new OpenAI({ baseURL, apiKey, fetch: server.fetch })]) {
    const whole = await client.chat.completions.create({ ...hello, messages: [...hello.messages] });
    expect(whole.choices[0]?.message.content).toBe('Good day to you.');
    const stream = await client.chat.completions.create({ ...hello, messages: [...hello.messages], stream: true });
    const said = [];
    for await (const chunk of stream) said.push(chunk.choices[0]?.delta.content);
    expect(said.filter(Boolean)).toEqual(['Good', ' day', ' to', ' you.']);
  }
  expect(server.requests.map(({ method, path, body, status }) => [method, path, body, status])).toEqual([
    ['POST', '/v1/chat/completions', hello, 200],
    ['POST', '/v1/chat/completions', { ...hello, stream: true }, 200],
    ['POST', '/v1/chat/completions', hello, 200],
    ['POST', '/v1/chat/completions', { ...hello, stream: true }, 200],
  ]);
  expect(JSON.stringify(server.requests)).not.toContain(apiKey);
});

test('a request that no rule fits is told what was asked and what was expected, and counts as unmatched', async () => {
  await using server = await startTestServer({
    port: false,
    replies: [
      { when: { model: 'gpt-4', message: 'weather' }, reply: 'Sunny.' },
      { name: 'twice', sequence: ['one', 'two'], when: { message: /count/i } },
    ],
  });
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey, fetch: server.fetch });
  const say = async (content: string) => {
    const { choices } = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content }],
    });
    return choices[0]?.message.content;
  };
  expect([await say('Count'), await say('count on')]).toEqual(['one', 'two']);
  await expect(say('count, please')).rejects.toMatchObject({
    status: 400,
    code: 'no_scripted_reply',
    message: [
      '400 No scripted reply fits this request.',
      'Asked: model "gpt-4o", message "count, please", turn 1',
      'Expected one of:',
      '  replies[0]: model "gpt-4" (no: "gpt-4o"), message "weather" (no: "count, please") - never used',
      '  twice: message /count/i (yes) - used up, 2 of 2',
    ].join('\n'),
  });
  expect(server.unmatched).toHaveLength(1);
  expect(() => server.assertAllUsed()).toThrow('replies[0] was not used up: never used');
});
