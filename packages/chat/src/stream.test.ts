import { describe, expect, test } from 'vitest';
import { chunk, delta, finish, hello, helloWhole, usage } from '../test/chunks.ts';
import { collect, failureOf, readUntilError } from '../test/reading.ts';
import { json, send, sendAll, serve } from '../test/server.ts';
import { InputError, NotFoundError, StreamError } from './index.ts';
import type { ChatStreamEvent, ChatStreamParams } from './index.ts';

const params: ChatStreamParams = { model: 'test-model', messages: [{ role: 'user', content: 'Hi' }] };

describe('the request', () => {
  test('has stream and include_usage', async () => {
    const { chat, received } = await serve((response) => sendAll(response, hello));
    await chat.completions.stream(params).final();
    expect(received[0]).toMatchObject({ method: 'POST', url: '/v1/chat/completions' });
    expect(received[0]!.body).toEqual({ ...params, stream: true, stream_options: { include_usage: true } });
  });

  test('leaves stream_options to the caller', async () => {
    const { chat, received } = await serve((response) => sendAll(response, hello));
    const stream_options = { include_usage: false, include_obfuscation: false };
    await chat.completions.stream({ ...params, stream_options }, { headers: { 'x-own': 'yes' } }).final();
    expect(received[0]).toMatchObject({ body: { stream_options }, headers: { 'x-own': 'yes' } });
  });
});

describe('final()', () => {
  test('resolves with the completion without a loop', async () => {
    const { chat } = await serve((response) => sendAll(response, hello));
    const stream = chat.completions.stream(params);
    expect(stream.state).toBe('open');
    expect(await stream.final()).toEqual(helloWhole);
    expect(stream.state).toBe('finished');
    expect(await stream.final()).toBe(await stream.final());
  });

  test('resolves after a loop over the events', async () => {
    const { chat } = await serve((response) => sendAll(response, hello));
    const stream = chat.completions.stream(params);
    expect(await readUntilError(stream)).toEqual({ texts: ['Hello', ' there'], error: undefined });
    expect(await stream.final()).toEqual(helloWhole);
  });

  test('resolves during a loop and within one, which still receives every event', async () => {
    const { chat } = await serve((response) => sendAll(response, hello));
    const beside = chat.completions.stream(params);
    const [completion, { texts }] = await Promise.all([beside.final(), readUntilError(beside)]);
    expect([completion, texts]).toEqual([helloWhole, ['Hello', ' there']]);

    const inside = chat.completions.stream(params);
    const types: string[] = [];
    for await (const event of inside) {
      types.push(event.type);
      expect(await inside.final()).toEqual(helloWhole);
    }
    expect(types).toHaveLength(9);
  });

  test.each([
    ['an error frame', (): unknown[] => [...hello.slice(0, 2), { error: { message: 'out of memory', code: 'oom' } }]],
    ['a chunk that is no object', () => [...hello.slice(0, 2), null]],
  ])('rejects after %s, with the error that the loop throws', async (_, payloads) => {
    const { chat } = await serve((response) => sendAll(response, payloads()));
    const stream = chat.completions.stream(params);
    const { texts, error } = await readUntilError(stream);
    expect(texts).toEqual(['Hello']);
    expect(await failureOf(stream.final())).toBe(error);
    expect(error).toMatchObject({ requestId: 'req_1' });
    expect(stream.state).toBe('failed');
    expect(stream.snapshot()?.choices[0]?.message.content).toBe('Hello');
  });

  test('rejects with the code and message of an error frame', async () => {
    const { chat } = await serve((response) =>
      sendAll(response, [hello[1], { error: { message: 'oh', code: 'oom' } }]),
    );
    const error = await failureOf(chat.completions.stream(params).final());
    expect(error).toMatchObject({ name: 'StreamError', reason: 'error_frame', message: 'oh', code: 'oom' });
  });

  test('rejects when the stream ends before [DONE]', async () => {
    const { chat } = await serve((response) => {
      send(response, hello);
      response.end();
    });
    const stream = chat.completions.stream(params);
    expect(await failureOf(stream.final())).toMatchObject({ name: 'StreamError', reason: 'truncated' });
    expect(stream.state).toBe('failed');
  });

  test.each([
    ['a choice without finish_reason', hello.slice(0, 3)],
    ['no chunk at all', []],
  ])('rejects for %s, although [DONE] arrived', async (_, chunks) => {
    const { chat } = await serve((response) => sendAll(response, chunks));
    const stream = chat.completions.stream(params);
    const { error } = await readUntilError(stream);
    expect(error).toBeInstanceOf(StreamError);
    expect(error).toMatchObject({ reason: 'truncated', requestId: 'req_1', status: 200, attempts: [{ status: 200 }] });
    expect(await failureOf(stream.final())).toBe(error);
    expect(stream.state).toBe('failed');
  });

  test('rejects with the typed error of an error response', async () => {
    const { chat } = await serve((response) => json(response, { error: { message: 'no such model' } }, 404));
    const stream = chat.completions.stream(params);
    const error = await failureOf(stream.final());
    expect(error).toBeInstanceOf(NotFoundError);
    expect(await readUntilError(stream)).toEqual({ texts: [], error });
    expect(stream.state).toBe('failed');
    expect(stream.snapshot()).toBeUndefined();
  });

  test('closes the connection of a response that cannot be accumulated', async () => {
    const { chat, disconnected } = await serve((response) => send(response, [null]));
    await failureOf(chat.completions.stream(params).final());
    await expect(disconnected).resolves.toBeUndefined();
  });

  test('leaves no unhandled rejection when it is not called', async () => {
    const { chat } = await serve((response) => json(response, {}, 500));
    const stream = chat.completions.stream(params);
    await expect.poll(() => stream.state).toBe('failed');
  });
});

describe('the events', () => {
  async function eventsOf(chunks: readonly unknown[]): Promise<ChatStreamEvent[]> {
    const { chat } = await serve((response) => sendAll(response, chunks));
    return (await collect(chat.completions.stream(params))).filter(({ type }) => type !== 'chunk');
  }

  test('start with the unchanged chunk, for each chunk', async () => {
    const { chat } = await serve((response) => sendAll(response, hello));
    const events = await collect(chat.completions.stream(params));
    expect(events.map(({ type }) => type)).toEqual(
      'chunk chunk content.delta chunk content.delta chunk choice.finish chunk usage'.split(' '),
    );
    expect(events.flatMap((event) => (event.type === 'chunk' ? [event.chunk] : []))).toEqual(hello);
  });

  test('include text, refusal, finish and usage, each with its choice', async () => {
    const chunks = [delta({ content: 'a' }), chunk([{ index: 1, delta: { refusal: 'b' } }]), finish('length', 1)];
    expect(await eventsOf([...chunks, finish(), chunk([], { usage })])).toEqual([
      { type: 'content.delta', choice: 0, delta: 'a' },
      { type: 'refusal.delta', choice: 1, delta: 'b' },
      { type: 'choice.finish', choice: 1, finish_reason: 'length' },
      { type: 'choice.finish', choice: 0, finish_reason: 'stop' },
      { type: 'usage', usage },
    ]);
  });

  test('include deltas of function and custom tool calls, and of the deprecated function call', async () => {
    const events = await eventsOf([
      delta({
        tool_calls: [
          { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } },
          { index: 1, id: 'call_2', type: 'custom', custom: { name: 'sql', input: '' } },
        ],
      }),
      delta({ tool_calls: [{ index: 1, custom: { input: 'SELECT' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
      delta({ function_call: { name: 'f', arguments: '1' } }),
      finish(),
    ]);
    const type = 'tool_call.delta';
    const more = { id: undefined, kind: undefined, name: undefined };
    expect(events.slice(0, -1)).toEqual([
      { type, choice: 0, index: 0, id: 'call_1', kind: 'function', name: 'weather', delta: '' },
      { type, choice: 0, index: 1, id: 'call_2', kind: 'custom', name: 'sql', delta: '' },
      { type, choice: 0, index: 1, ...more, delta: 'SELECT' },
      { type, choice: 0, index: 0, ...more, delta: '{}' },
      { type: 'function_call.delta', choice: 0, name: 'f', delta: '1' },
    ]);
  });

  test('include audio and log probabilities', async () => {
    const token = { token: 'a', logprob: -1, bytes: [97], top_logprobs: [] };
    const events = await eventsOf([
      delta({ audio: { id: 'audio_1', data: 'YQ==' } }),
      delta({ audio: { transcript: 'a' } }),
      delta({ content: 'a' }, { logprobs: { content: [token], refusal: null } }),
      finish(),
    ]);
    expect(events.slice(0, -1)).toEqual([
      { type: 'audio.delta', choice: 0, data: 'YQ==', transcript: '' },
      { type: 'audio.delta', choice: 0, data: '', transcript: 'a' },
      { type: 'content.delta', choice: 0, delta: 'a' },
      { type: 'logprobs.delta', choice: 0, content: [token], refusal: [] },
    ]);
  });

  test('text() iterates the text deltas of the first choice', async () => {
    const { chat } = await serve((response) =>
      sendAll(response, [chunk([{ index: 1, delta: { content: 'other' } }]), ...hello, finish('stop', 1)]),
    );
    const stream = chat.completions.stream(params);
    expect(await collect(stream.text())).toEqual(['Hello', ' there']);
    expect((await stream.final()).choices[1]?.message.content).toBe('other');
  });

  test('arrive while the stream is open', async () => {
    let go = (): void => undefined;
    const { chat } = await serve((response) => {
      send(response, hello.slice(0, 2));
      go = () => sendAll(response, hello.slice(2));
    });
    const texts: string[] = [];
    for await (const text of chat.completions.stream(params).text()) {
      texts.push(text);
      go();
    }
    expect(texts).toEqual(['Hello', ' there']);
  });

  test('can be iterated only once', async () => {
    const { chat } = await serve((response) => sendAll(response, hello));
    const stream = chat.completions.stream(params);
    const text = stream.text();
    expect(() => stream[Symbol.asyncIterator]()).toThrow(InputError);
    expect(() => stream.text()).toThrow('once');
    expect(await collect(text)).toEqual(['Hello', ' there']);
  });

  test('cannot be iterated after final()', async () => {
    const { chat } = await serve((response) => sendAll(response, hello));
    const stream = chat.completions.stream(params);
    await stream.final();
    expect(() => stream.text()).toThrow(InputError);
  });
});

test('withResponse() resolves with the response and the request ID while the stream is open', async () => {
  const { chat } = await serve((response) => sendAll(response, hello));
  const { data, response, requestId } = await chat.completions.stream(params).withResponse();
  expect([response.status, requestId, data.state]).toEqual([200, 'req_1', 'open']);
  expect(await data.final()).toEqual(helloWhole);
});
