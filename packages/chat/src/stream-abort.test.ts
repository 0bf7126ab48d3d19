import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { hello, helloWhole } from '../test/chunks.ts';
import { failureOf } from '../test/reading.ts';
import { send, sendAll, serve } from '../test/server.ts';
import { AbortError } from './index.ts';
import type { ChatStream, ChatStreamParams } from './index.ts';

const params: ChatStreamParams = { model: 'test-model', messages: [{ role: 'user', content: 'Hi' }] };

describe('a stream that the caller aborts', () => {
  test.each<[string, (stream: ChatStream, controller: AbortController) => void, unknown]>([
    ['abort()', (stream) => stream.abort(), undefined],
    ['the signal', (_, controller) => controller.abort('enough'), 'enough'],
  ])('by %s is aborted: the loop throws, final() rejects, the server sees the disconnect', async (_, stop, cause) => {
    const { chat, disconnected } = await serve((response) => send(response, hello.slice(0, 3)));
    const controller = new AbortController();
    const stream = chat.completions.stream(params, { signal: controller.signal });
    const final = failureOf(stream.final());
    const texts: string[] = [];
    const loop = (async () => {
      for await (const text of stream.text()) {
        texts.push(text);
        stop(stream, controller);
        expect(stream.state).toBe('aborted');
      }
    })();
    const error = await failureOf(loop);
    expect(error).toBeInstanceOf(AbortError);
    expect([error.requestId, error.cause]).toEqual(['req_1', cause]);
    expect(await final).toBe(error);
    expect(texts).toEqual(['Hello']);
    await disconnected;
    expect(stream.snapshot()?.choices[0]?.message.content).toBe('Hello there');
  });

  test('by leaving the loop is aborted, and the server sees the disconnect', async () => {
    const { chat, disconnected } = await serve((response) => send(response, hello.slice(0, 3)));
    const stream = chat.completions.stream(params);
    for await (const event of stream) if (event.type === 'content.delta') break;
    expect(stream.state).toBe('aborted');
    expect(await failureOf(stream.final())).toBeInstanceOf(AbortError);
    await disconnected;
  });

  test('rejects a pending read of the next chunk', async () => {
    const { chat } = await serve((response) => send(response, hello.slice(0, 2)));
    const stream = chat.completions.stream(params);
    const final = failureOf(stream.final());
    await expect.poll(() => stream.snapshot()).toBeDefined();
    stream.abort();
    expect(await final).toBeInstanceOf(AbortError);
  });

  test('before the response aborts the request', async () => {
    const { chat, arrived, disconnected } = await serve(() => undefined);
    const stream = chat.completions.stream(params);
    await arrived;
    stream.abort();
    await disconnected;
    expect(await failureOf(stream.final())).toBeInstanceOf(AbortError);
    expect(await failureOf(stream.withResponse())).toBeInstanceOf(AbortError);
  });

  test('by an already aborted signal is never sent', async () => {
    const { chat, received } = await serve((response) => sendAll(response, hello));
    const stream = chat.completions.stream(params, { signal: AbortSignal.abort() });
    expect(await failureOf(stream.final())).toBeInstanceOf(AbortError);
    expect(received).toEqual([]);
  });

  test('after its end stays finished', async () => {
    const { chat } = await serve((response) => sendAll(response, hello));
    const controller = new AbortController();
    const stream = chat.completions.stream(params, { signal: controller.signal });
    await stream.final();
    stream.abort();
    controller.abort();
    expect(stream.state).toBe('finished');
    expect(await stream.final()).toEqual(helloWhole);
  });

  test('by leaving the loop after final() stays finished', async () => {
    const { chat } = await serve((response) => sendAll(response, hello));
    const stream = chat.completions.stream(params);
    for await (const event of stream) {
      await stream.final();
      if (event.type === 'chunk') break;
    }
    expect(stream.state).toBe('finished');
  });
});

test('a signal shared by many streams has no listener left for those that ended', async () => {
  const { chat } = await serve((response) => sendAll(response, hello));
  const { signal } = new AbortController();
  for (let at = 0; at < 3; at++) await chat.completions.stream(params, { signal }).final();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
