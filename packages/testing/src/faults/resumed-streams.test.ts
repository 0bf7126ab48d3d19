import { createChat } from '@modelwire/chat';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../index.ts';
import type { Fault, TestServer } from '../index.ts';

const reply = 'Wörter sind schön, und Flüsse auch.';
const chatRequest = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] };

async function start(faults: Fault[]): Promise<TestServer> {
  const server = await startTestServer({ replies: reply, faults });
  onTestFinished(() => server.close());
  return server;
}

const path = '/v1/chat/completions';
/** The generations: requests that are no continuation of another. */
const generations = ({ requests }: TestServer) =>
  requests.filter(
    ({ method, path: sent, headers }) => method === 'POST' && sent === path && !('last-event-id' in headers),
  );

const uncut = async (): Promise<{ readonly chunks: number; readonly choices: unknown }> => {
  const stream = createChat(await start([])).completions.stream(chatRequest);
  let chunks = 0;
  for await (const { type } of stream) if (type === 'chunk') chunks++;
  return { chunks, choices: (await stream.final()).choices };
};

test('the chat client gets each chunk once, whatever event the connection is cut after', async () => {
  const { chunks, choices } = await uncut();
  for (let afterChunks = 1; afterChunks <= chunks; afterChunks++) {
    for (const fault of ['drop', 'reset'] as const) {
      const server = await start([{ fault, afterChunks, when: { path } }]);
      const stream = createChat(server).completions.stream(chatRequest);
      let received = 0;
      for await (const { type } of stream) if (type === 'chunk') received++;
      expect([received, (await stream.final()).choices]).toEqual([chunks, choices]);
      expect(generations(server)).toHaveLength(1);
      expect(server.requests.length).toBeGreaterThan(1);
    }
  }
});

test('the chat client gets a whole reply of connections that are cut after every event', async () => {
  const server = await start([{ fault: 'drop', afterChunks: 1, times: 'always', when: { path } }]);
  const stream = await createChat(server).completions.create({ ...chatRequest, stream: true });
  let text = '';
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  expect(text).toBe(reply);
  expect(stream.state).toBe('finished');
  expect(generations(server)).toHaveLength(1);
});

test('a client that leaves a stream cancels it', async () => {
  const server = await start([{ fault: 'token-pace', ms: 50, when: { path } }]);
  const stream = await createChat(server).completions.create({ ...chatRequest, stream: true });
  let id = '';
  for await (const chunk of stream) {
    id = chunk.id;
    break;
  }
  await expect.poll(() => server.requests.at(-1)).toMatchObject({ method: 'DELETE', path: `${path}/${id}` });
});

test('the official SDK gets the whole reply when it sends the request again with the same key', async () => {
  const server = await start([{ fault: 'drop', afterChunks: 3, when: { path } }]);
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey, maxRetries: 0 });
  const send = async (): Promise<string> => {
    const headers = { 'idempotency-key': 'one-reply' };
    const stream = await client.chat.completions.create({ ...chatRequest, stream: true }, { headers });
    let text = '';
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    return text;
  };
  await expect(send()).rejects.toThrow();
  expect(await send()).toBe(reply);
});
