import { createChat, NotFoundError } from '@modelwire/chat';
import type { ChatClient } from '@modelwire/chat';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breakingProxy } from '../testing/breaking-proxy.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let chat: ChatClient;
beforeAll(async () => {
  server = await startTestServer({ videos: false, moderation: false });
  chat = createChat({ baseURL: `${server.url}/v1`, apiKey: key });
});
afterAll(() => server.stop());

const requestId = expect.stringMatching(/^req_/) as string;
const ask = (content: string) => ({
  model: 'simulator',
  temperature: 0,
  seed: 1,
  messages: [{ role: 'user' as const, content: `Repeat: ${content}` }],
});

test('returns the same reply complete, streamed and accumulated', async () => {
  const { data: whole, requestId: id } = await chat.completions.create(ask('rivers run')).withResponse();
  const text = whole.choices[0]?.message.content;
  expect(text).toContain('rivers run');
  expect(id).toEqual(requestId);

  let streamedText = '';
  for await (const chunk of await chat.completions.create({ ...ask('rivers run'), stream: true })) {
    streamedText += chunk.choices[0]?.delta.content ?? '';
  }
  expect(streamedText).toBe(text);

  const final = await chat.completions.stream(ask('rivers run')).final();
  expect(final.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant', content: text } });
  expect(final.usage).toEqual(whole.usage);
});

test('retrieves, lists, updates and deletes stored completions and lists their messages', async () => {
  const apiKey = await server.makeKey({ project: 'stored' });
  const { completions } = createChat({ baseURL: `${server.url}/v1`, apiKey });
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await completions.create({ ...ask(`number ${n}`), store: true, metadata: { n: String(n) } })).id);
  }
  const [id = ''] = ids;
  expect(await completions.retrieve(id)).toMatchObject({ id, metadata: { n: '0' }, model: 'simulator' });
  expect((await completions.update(id, { metadata: { n: 'none' } })).metadata).toEqual({ n: 'none' });
  const listed = await Array.fromAsync(completions.list({ limit: 2, order: 'asc' }));
  expect(listed.map((each) => each.id)).toEqual(ids);
  const found = await completions.list({ metadata: { n: '2' } });
  expect(found.data.map((each) => each.id)).toEqual([ids[2]]);
  const messages = await Array.fromAsync(completions.messages.list(id, { limit: 1 }));
  expect(messages.map(({ role, content }) => [role, content])).toContainEqual(['user', 'Repeat: number 0']);
  expect(await completions.delete(id)).toMatchObject({ id, deleted: true });
  await expect(completions.retrieve(id)).rejects.toBeInstanceOf(NotFoundError);
  await expect(completions.messages.list(id)).rejects.toMatchObject({ name: 'NotFoundError', requestId });
});

test('retries a reply that fails before the first byte, and continues a stream that fails later', async () => {
  const proxy = await breakingProxy(server.url);
  const { completions } = createChat({ baseURL: `${proxy.url}/v1`, apiKey: key, backoff: () => 5 });
  proxy.breaks.push({ sender: 'server', bytes: 20 });
  const { data, attempts } = await completions.create(ask('once more')).withResponse();
  expect([attempts.length, data.choices[0]?.message.content?.includes('once more')]).toEqual([2, true]);

  const other = await breakingProxy(server.url);
  other.breaks.push({ sender: 'server', bytes: 2000 });
  const long = createChat({ baseURL: `${other.url}/v1`, apiKey: key }).completions;
  const whole = await long.stream(ask('river '.repeat(200))).final();
  expect(whole.choices[0]?.message.content).toContain('river '.repeat(199));
  expect(other.broken()).toBe(1);
});

test('throws a typed error with the parameter and the request ID', async () => {
  const { completions } = chat;
  await expect(completions.create({ ...ask('a'), model: 'none' })).rejects.toMatchObject({
    name: 'NotFoundError',
    code: 'model_not_found',
    requestId,
  });
  await expect(completions.create({ ...ask('a'), temperature: 3 })).rejects.toMatchObject({
    name: 'BadRequestError',
    param: 'temperature',
    requestId,
  });
  await expect(completions.retrieve('chatcmpl-none')).rejects.toBeInstanceOf(NotFoundError);
});
