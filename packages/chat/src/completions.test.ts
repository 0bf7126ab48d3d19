import { describe, expect, expectTypeOf, test } from 'vitest';
import { hello, helloWhole } from '../test/chunks.ts';
import { json, send, sendAll, serve } from '../test/server.ts';
import type { Handler } from '../test/server.ts';
import { AbortError, createChat, createTransport, NotFoundError, StreamError } from './index.ts';
import type {
  ApiPromise,
  ChatClient,
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionDeleted,
  ChatCompletionStoredMessage,
  EventStream,
  StoredChatCompletion,
} from './index.ts';

const params = { model: 'test-model', messages: [{ role: 'user', content: 'Hi' }] } as const;

/** Responds according to the request. */
const answer: Handler = (response, { body }) => {
  if (typeof body === 'object' && body !== null && 'stream' in body && body.stream === true) sendAll(response, hello);
  else json(response, helloWhole);
};

describe('create()', () => {
  test('resolves with the completion', async () => {
    const { chat, received } = await serve(answer);
    expect(await chat.completions.create({ ...params, temperature: 0 })).toEqual(helloWhole);
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/v1/chat/completions',
        headers: { authorization: 'Bearer test-key-1234', accept: 'application/json' },
        body: { ...params, temperature: 0 },
      },
    ]);
  });

  test('returns the chunks with stream: true, and sends only the given parameters', async () => {
    const { chat, received } = await serve(answer);
    const chunks: ChatCompletionChunk[] = [];
    const stream = await chat.completions.create({ ...params, stream: true });
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks).toEqual(hello);
    expect(stream.state).toBe('finished');
    expect(received[0]).toMatchObject({ headers: { accept: 'text/event-stream' } });
    expect(received[0]!.body).toEqual({ ...params, stream: true });
  });

  test.each([false, true])('returns a completion or a stream by the boolean: %s', async (stream) => {
    const { chat } = await serve(answer);
    const got = await chat.completions.create({ ...params, stream });
    expect('choices' in got).toBe(!stream);
  });

  test('withResponse() adds the response, the request ID and the attempts', async () => {
    const { chat, received } = await serve(answer);
    const whole = chat.completions.create(params);
    const { data, response, requestId, attempts } = await whole.withResponse();
    expect(data).toBe(await whole);
    expect([response.status, requestId, attempts.length, received.length]).toEqual([200, 'req_1', 1, 1]);
    const streamed = await chat.completions.create({ ...params, stream: true }).withResponse();
    expect([streamed.data.state, streamed.requestId]).toEqual(['open', 'req_2']);
  });

  test('a stream that is truncated, JSON or cancelled has the corresponding state', async () => {
    const cut = await serve((response) => {
      send(response, hello.slice(0, 2));
      response.end();
    });
    const read = async (chat: ChatClient): Promise<number> => {
      let count = 0;
      for await (const { id } of await chat.completions.create({ ...params, stream: true })) count += id.length;
      return count;
    };
    await expect(read(cut.chat)).rejects.toMatchObject({ name: 'StreamError', reason: 'truncated' });
    const wrong = await serve((response) => json(response, helloWhole));
    await expect(read(wrong.chat)).rejects.toBeInstanceOf(StreamError);
    const open = await serve((response) => send(response, hello));
    const stream = await open.chat.completions.create({ ...params, stream: true });
    for await (const { id } of stream) if (id !== '') break;
    expect(stream.state).toBe('aborted');
  });

  test('passes the call options', async () => {
    const { chat, received } = await serve(answer);
    await chat.completions.create(params, { headers: { 'x-own': 'yes' }, idempotencyKey: 'once' });
    expect(received[0]!.headers).toMatchObject({ 'x-own': 'yes', 'idempotency-key': 'once' });
    const aborted = chat.completions.create(params, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toBeInstanceOf(AbortError);
  });
});

describe('createChat()', () => {
  test('accepts a shared transport', async () => {
    const { baseURL, received } = await serve(answer);
    const transport = createTransport({ baseURL, headers: { 'x-shared': 'yes' } });
    await createChat(transport).completions.create(params);
    expect(received[0]!.headers).toMatchObject({ 'x-shared': 'yes' });
  });

  test('throws for an invalid base URL', () => {
    expect(() => createChat({ baseURL: 'nowhere' })).toThrow('baseURL');
  });
});

describe('stored completions', () => {
  test('are retrieved, updated and deleted by their ID, encoded as one path segment', async () => {
    const { chat, received } = await serve((response) => json(response, { id: 'x' }));
    await chat.completions.retrieve('chatcmpl-1');
    await chat.completions.retrieve('chatcmpl-1', { query: { include: ['request_parameters'] } });
    await chat.completions.update('a/../b?c', { metadata: { topic: 'demo' } });
    await chat.completions.delete('chatcmpl-1');
    expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/v1/chat/completions/chatcmpl-1', undefined],
      ['GET', '/v1/chat/completions/chatcmpl-1?include%5B%5D=request_parameters', undefined],
      ['POST', '/v1/chat/completions/a%2F..%2Fb%3Fc', { metadata: { topic: 'demo' } }],
      ['DELETE', '/v1/chat/completions/chatcmpl-1', undefined],
    ]);
    await expect(chat.completions.retrieve('..')).rejects.toMatchObject({ param: 'completion_id' });
  });

  /** Ids c1 to c5, by pages of two. */
  const pages: Handler = (response, { url = '' }) => {
    const after = Number(new URL(url, 'http://x').searchParams.get('after')?.slice(1) ?? 0);
    const data = [1, 2, 3, 4, 5].slice(after, after + 2).map((n) => ({ id: `c${n}` }));
    json(response, { object: 'list', data, last_id: data.at(-1)?.id ?? null, has_more: after + 2 < 5 });
  };

  test('are listed page by page, with the filters on every page', async () => {
    const { chat, received } = await serve(pages);
    const ids: string[] = [];
    const list = chat.completions.list({ model: 'm', metadata: { topic: 'demo' }, limit: 2, order: 'desc' });
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
    const query = 'model=m&metadata[topic]=demo&limit=2&order=desc';
    expect(received.map(({ url }) => decodeURIComponent(url ?? ''))).toEqual(
      ['', '&after=c2', '&after=c4'].map((after) => `/v1/chat/completions?${query}${after}`),
    );
  });

  test('are listed after an ID, also page by page', async () => {
    const { chat, received } = await serve(pages);
    const page = await chat.completions.list({ after: 'c3' });
    expect([page.data.length, page.has_more, received.length]).toEqual([2, false, 1]);
    expect(received[0]!.url).toBe('/v1/chat/completions?after=c3');
    await chat.completions.list();
    expect(received[1]!.url).toBe('/v1/chat/completions');
  });

  test('have their messages listed', async () => {
    const { chat, received } = await serve(pages);
    const ids: string[] = [];
    for await (const { id } of chat.completions.messages.list('chatcmpl-1', { order: 'asc', after: 'c1' }))
      ids.push(id);
    expect(ids).toEqual(['c2', 'c3', 'c4', 'c5']);
    const path = '/v1/chat/completions/chatcmpl-1/messages?order=asc&after=';
    expect(received.map(({ url }) => url)).toEqual([`${path}c1`, `${path}c3`]);
  });

  test('that do not exist are a NotFoundError', async () => {
    const { chat } = await serve((response) => json(response, { error: { message: 'none' } }, 404));
    await expect(chat.completions.retrieve('chatcmpl-0')).rejects.toBeInstanceOf(NotFoundError);
    await expect(chat.completions.list()).rejects.toBeInstanceOf(NotFoundError);
  });
});

test('the result type depends on `stream`', () => {
  type Completions = ChatClient['completions'];
  const check = (completions: Completions, flag: boolean, either: ChatCompletionCreateParams) => {
    expectTypeOf(completions.create(params)).toEqualTypeOf<ApiPromise<ChatCompletion>>();
    expectTypeOf(completions.create({ ...params, stream: false })).toEqualTypeOf<ApiPromise<ChatCompletion>>();
    expectTypeOf(completions.create({ ...params, stream: null })).toEqualTypeOf<ApiPromise<ChatCompletion>>();
    type Streamed = ApiPromise<EventStream<ChatCompletionChunk>>;
    expectTypeOf(completions.create({ ...params, stream: true })).toEqualTypeOf<Streamed>();
    type Either = ApiPromise<ChatCompletion | EventStream<ChatCompletionChunk>>;
    expectTypeOf(completions.create({ ...params, stream: flag })).toEqualTypeOf<Either>();
    expectTypeOf(completions.create(either)).toEqualTypeOf<Either>();
    expectTypeOf(completions.stream(params).final()).resolves.toEqualTypeOf<ChatCompletion>();
    expectTypeOf(completions.retrieve('x')).resolves.toEqualTypeOf<StoredChatCompletion>();
    expectTypeOf(completions.delete('x')).resolves.toEqualTypeOf<ChatCompletionDeleted>();
    const first = completions.messages.list('x').pages()[Symbol.asyncIterator]().next();
    expectTypeOf(first).resolves.toExtend<
      IteratorResult<{ readonly data: readonly ChatCompletionStoredMessage[] }, unknown>
    >();
    // @ts-expect-error streaming is what stream() is for
    completions.stream({ ...params, stream: false });
    // @ts-expect-error messages are required
    void completions.create({ model: 'm' });
  };
  expect(check).toBeTypeOf('function');
});
