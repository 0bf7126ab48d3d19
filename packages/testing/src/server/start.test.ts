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

test('a request without a matching rule is an error with the request and the rules, and counts as unmatched', async () => {
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
      '400 No scripted reply matches this request.',
      'Request: model "gpt-4o", message "count, please", turn 1',
      'Expected one of:',
      '  replies[0]: model "gpt-4" (no: "gpt-4o"), message "weather" (no: "count, please") - never used',
      '  twice: message /count/i (yes) - used up, 2 of 2',
    ].join('\n'),
  });
  expect(server.unmatched).toHaveLength(1);
  expect(() => server.assertAllUsed()).toThrow('replies[0] was not used up: never used');
});

test('IDs are counted and the time is fixed, for each server separately, and restart after a reset', async () => {
  const make = async () => startTestServer({ replies: 'Yes.', now: '2026-02-03T04:05:06Z', port: false });
  await using one = await make();
  await using other = await make();
  const ask = async ({ baseURL, apiKey, fetch }: typeof one) => {
    const client = new OpenAI({ baseURL, apiKey, fetch });
    const { id, created } = await client.chat.completions.create({ ...hello, messages: [...hello.messages] });
    const file = await client.files.create({ file: new File(['a'], 'a.txt'), purpose: 'user_data' });
    return [id, created, file.id, file.created_at];
  };
  const first = ['chatcmpl-000000000000000000000001', 1_770_091_506, 'file-000000000000000000000001', 1_770_091_506];
  expect(await ask(one)).toEqual(first);
  expect(await ask(other)).toEqual(first);
  expect((await ask(one))[0]).toBe('chatcmpl-000000000000000000000002');
  await one.reset();
  expect(await ask(one)).toEqual(first);
});

test('a custom clock decides what has expired', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  await using server = await startTestServer({ now: () => now, ids: 'random' });
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey });
  const expires_after = { anchor: 'created_at', seconds: 3600 } as const;
  const { id } = await client.files.create({ file: new File(['a'], 'a.txt'), purpose: 'user_data', expires_after });
  expect(id).not.toMatch(/0{12}/);
  now += 3_599_000;
  expect((await client.files.retrieve(id)).expires_at).toBe(Date.parse('2026-01-01T01:00:00Z') / 1000);
  now += 1000;
  await expect(client.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
});

test('unknown endpoints respond, and any body is accepted', async () => {
  await using server = await startTestServer();
  const ask = async (path: string, init: RequestInit = {}) =>
    fetch(server.baseURL.replace('/v1', path), { ...init, headers: { authorization: `Bearer ${server.apiKey}` } });
  expect((await ask('/nothing', { method: 'POST', body: 'x' })).status).toBe(404);
  expect(await (await ask('/openapi.json')).json()).toMatchObject({ openapi: expect.stringMatching(/^3/) as string });
  expect(await (await ask('/v1/models/any/thing')).json()).toMatchObject({ id: 'any/thing' });
  expect(server.requests.map(({ path, status }) => [path, status])).toEqual([
    ['/nothing', 404],
    ['/openapi.json', 200],
    ['/v1/models/any/thing', 200],
  ]);
});

test('reports a port that is in use', async () => {
  await using server = await startTestServer();
  const port = Number(new URL(server.baseURL).port);
  await expect(startTestServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
