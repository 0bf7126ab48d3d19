import { createSseDecoder } from '@modelwire/core';
import type { SseEvent } from '@modelwire/core';
import type { CapabilitiesInit, ChatEvent, EngineContext } from '@modelwire/ports';
import type { ChatCompletionChunk } from '@modelwire/schema/types';
import { openMemory, storesOver } from '@modelwire/store-sqlite/testing';
import { describe, expect, test, vi } from 'vitest';
import type { ServerOptions } from '../../options/options.ts';
import { key, listen } from '../../testing/listen.ts';
import type { Listening } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

const chat = { model: 'scripted', messages: [{ role: 'user', content: 'Hello' }], stream: true };
const resumable = { ...chat, stream_options: { resumable: true } };
const words = ['a', 'b', 'c', 'd', 'e'];
const once = { 'idempotency-key': 'once' };

/** An engine that generates one word at each `next`. */
function steppedEngine() {
  let release = (): void => undefined;
  let steps = 0;
  let wake = (): void => undefined;
  const next = (count = 1): void => {
    steps += count;
    wake();
  };
  const engine = scriptedEngine(async function* (_, { signal }: EngineContext): AsyncGenerator<ChatEvent> {
    for (const event of says(...words)) {
      while (steps === 0) {
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      }
      steps--;
      yield event;
    }
    release();
  });
  return { engine, next, all: () => next(100), ended: new Promise<void>((resolve) => (release = resolve)) };
}

/** Servers on the same stores: the replicas of one. */
async function replicas(options: Partial<ServerOptions> = {}, count = 2) {
  const { stores } = memoryWork();
  const stepped = steppedEngine();
  const jobTimes = { leaseMs: 1000 };
  const all: Listening[] = [];
  for (let index = 0; index < count; index++)
    all.push(await listen({ engines: [stepped.engine], stores, jobTimes, ...options }));
  const [first, second] = all;
  if (!first || !second) throw new Error('two replicas');
  return { ...stepped, stores, first, second };
}

const authorization = `Bearer ${key}`;

const resume = ({ url }: Listening, id: string, after?: number): Promise<Response> =>
  fetch(`${url}/v1/chat/completions/${id}/stream${after === undefined ? '' : `?starting_after=${after}`}`, {
    headers: { authorization },
  });

const cancel = ({ url }: Listening, id: string): Promise<Response> =>
  fetch(`${url}/v1/chat/completions/${id}`, { method: 'DELETE', headers: { authorization } });

/** Reads events until there are so many, and leaves; or all of them, with the text of the body. */
async function read(response: Response, count = Infinity) {
  const events: SseEvent[] = [];
  let text = '';
  const decoder = createSseDecoder({ onEvent: (event) => events.push(event) });
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (!body) throw new Error('no body');
  for await (const chunk of body) {
    text += new TextDecoder().decode(chunk);
    decoder.push(chunk);
    if (events.length >= count) break;
  }
  return { events, text, ids: events.map(({ id }) => id) };
}

const chunkOf = ({ data }: SseEvent) =>
  JSON.parse(data) as { readonly id: string; readonly error?: { readonly code: string } };
const idOf = (events: readonly SseEvent[]): string => (events[0] ? chunkOf(events[0]).id : '');
/** The code of an error, from a status or an event. */
async function errorOf(response: Response): Promise<unknown> {
  if (response.status !== 200) return ((await response.json()) as { error: { code: string } }).error.code;
  const { events } = await read(response);
  const last = events.at(-1);
  return last && chunkOf(last).error?.code;
}

describe('a resumable stream', () => {
  test.each([
    ['stream_options.resumable', resumable, {}],
    ['an Idempotency-Key', chat, once],
    ['store', { ...chat, store: true }, {}],
  ])('with %s has an ID for each event, from 0, and none for its end', async (_, body, headers) => {
    const { first, all } = await replicas();
    all();
    const { text, events } = await read(await first.post(body, headers));
    const blocks = text.split('\n\n').filter(Boolean);
    expect(blocks.at(-1)).toBe('data: [DONE]');
    expect(blocks.slice(0, -1).map((block) => block.split('\n')[0])).toEqual(
      blocks.slice(0, -1).map((_, index) => `id: ${index}`),
    );
    expect(events).toHaveLength(words.length + 3);
  });

  test('without any of them has no ID, and aborts the engine when the client leaves', async () => {
    const { first, engine, next } = await replicas();
    next(2);
    const { ids } = await read(await first.post(chat), 3);
    expect(ids).toEqual([undefined, undefined, undefined]);
    await vi.waitFor(() => expect(engine.asked[0]?.context.signal.aborted).toBe(true));
  });

  test.each(['first', 'second'] as const)(
    'continues after any event, byte for byte, on the %s replica, while it is generated and after its end',
    async (replica) => {
      const servers = await replicas();
      const { first, engine, next, all } = servers;
      next(2);
      const start = await read(await first.post(resumable), 3);
      const id = idOf(start.events);
      const live = read(await resume(servers[replica], id, 1));
      all();
      const whole = (await read(await resume(first, id))).text;
      const { text } = await live;
      expect(whole.endsWith(text)).toBe(true);
      expect(text.startsWith('id: 2\n')).toBe(true);
      for (let after = 0; after < words.length + 2; after++) {
        const rest = await read(await resume(servers[replica], id, after));
        expect(whole.endsWith(rest.text)).toBe(true);
        expect(rest.text.startsWith(after === words.length + 1 ? 'data: [DONE]' : `id: ${after + 1}\n`)).toBe(true);
      }
      expect(whole.startsWith(start.text)).toBe(true);
      expect(engine.asked).toHaveLength(1);
    },
  );

  test('is joined by the same request with its key, also after Last-Event-ID, and refused for another body', async () => {
    const { first, second, engine, next, all } = await replicas();
    next(2);
    const start = await read(await first.post(chat, once), 3);
    const joined = await second.post(chat, once);
    const continued = await second.post(chat, { ...once, 'last-event-id': '1' });
    const other = await second.post({ ...chat, n: 2 }, once);
    expect([other.status, await errorOf(other)]).toEqual([409, 'idempotency_key_reused']);
    all();
    const whole = await read(joined);
    expect(whole.text.startsWith(start.text)).toBe(true);
    expect(whole.text.endsWith((await read(continued)).text)).toBe(true);
    const replayed = await first.post(chat, once);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect((await read(replayed)).text).toBe(whole.text);
    expect((await read(await second.post(chat, { ...once, 'last-event-id': '3' }))).text.startsWith('id: 4\n')).toBe(
      true,
    );
    expect(engine.asked).toHaveLength(1);
  });

  test('is generated to its end when its client leaves, and stored', async () => {
    const { first, stores, next, all, ended } = await replicas();
    next(1);
    const { events } = await read(await first.post({ ...chat, store: true }), 2);
    all();
    await ended;
    const { completions } = stores.project('p');
    await vi.waitFor(async () =>
      expect((await completions.get(idOf(events)))?.choices[0]?.message.content).toBe('abcde'),
    );
  });

  test.each(['first', 'second'] as const)('is cancelled by DELETE on the %s replica', async (replica) => {
    const servers = await replicas();
    const { first, second, engine, next } = servers;
    next(1);
    const { events } = await read(await first.post(resumable), 2);
    const id = idOf(events);
    const reader = errorOf(await resume(second, id));
    expect((await cancel(servers[replica], id)).status).toBe(200);
    expect(await reader).toBe('stream_cancelled');
    await vi.waitFor(() => expect(engine.asked[0]?.context.signal.aborted).toBe(true), 5000);
    for (const server of [first, second]) expect((await resume(server, id)).status).toBe(404);
    expect((await cancel(servers[replica], id)).status).toBe(404);
  });

  test('of a server that died ends with an error after what is stored, and frees its key', async () => {
    const { first, second, stores, next } = await replicas();
    // Another server, which is gone: its lease is not renewed.
    const { eventStreams } = stores.project('p');
    await eventStreams.create('chatcmpl-dead', { leaseMs: 300, keepMs: 60_000 });
    await eventStreams.append('chatcmpl-dead', { first: 0, events: ['{"n":0}', '{"n":1}'] });
    const readers = [
      await resume(first, 'chatcmpl-dead'),
      await resume(second, 'chatcmpl-dead', 0),
      await resume(second, 'chatcmpl-dead', 7),
    ];
    const texts = await Promise.all(readers.map(async (reader) => (await read(reader)).text));
    // Nothing but the error follows a position that the store never had.
    expect(readers[2]?.status).toBe(500);
    expect(JSON.parse(texts[2] ?? '')).toMatchObject({ error: { code: 'stream_interrupted' } });
    const error = `data: ${texts[2]}\n\n`;
    expect(texts.slice(0, 2)).toEqual([
      `id: 0\ndata: {"n":0}\n\nid: 1\ndata: {"n":1}\n\n${error}`,
      `id: 1\ndata: {"n":1}\n\n${error}`,
    ]);
    expect((await resume(first, 'chatcmpl-dead', 1)).status).toBe(500);
    next();
  });

  test('has no events after its end', async () => {
    const { first, all } = await replicas();
    all();
    const { events } = await read(await first.post(resumable));
    const response = await resume(first, idOf(events), 99);
    expect([response.status, await errorOf(response)]).toEqual([400, 'invalid_value']);
  });

  test('is stopped when it has no reader for maxDetachedMs, not while another replica has one', async () => {
    const { first, second, engine, next } = await replicas({ resumableStreams: { maxDetachedMs: 300 } });
    next(1);
    const { events } = await read(await first.post(resumable), 2);
    const id = idOf(events);
    const reader = await resume(second, id);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(engine.asked[0]?.context.signal.aborted).toBe(false);
    await reader.body?.cancel();
    await vi.waitFor(() => expect(engine.asked[0]?.context.signal.aborted).toBe(true), 5000);
    await vi.waitFor(async () => expect(await errorOf(await resume(second, id))).toBe('stream_abandoned'), 5000);
  });

  test('is stopped when it has generated maxDetachedTokens without a reader', async () => {
    const { first, engine, next } = await replicas({ resumableStreams: { maxDetachedTokens: 1 } });
    next(1);
    const { events } = await read(await first.post(resumable), 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    next(3);
    await vi.waitFor(() => expect(engine.asked[0]?.context.signal.aborted).toBe(true), 5000);
    expect(await errorOf(await resume(first, idOf(events)))).toBe('stream_abandoned');
  });

  test('can be read for keepMs after its end', async () => {
    const { first, all } = await replicas({ resumableStreams: { keepMs: 100 } });
    all();
    const { events, text } = await read(await first.post(chat, once));
    await vi.waitFor(async () => expect((await resume(first, idOf(events))).status).toBe(404), 5000);
    // The reply of a key is kept as long as any other.
    expect((await read(await first.post(chat, once))).text).toBe(text);
  });

  test('whose engine fails ends with that error, and is generated again for its key', async () => {
    const engine = scriptedEngine(function* () {
      yield { type: 'text', choice: 0, text: 'Hi' };
      throw new Error('secret');
    });
    const { stores } = memoryWork();
    const server = await listen({ engines: [engine], stores });
    const { events } = await read(await server.post(chat, once));
    expect(events).toHaveLength(3);
    expect(await errorOf(await resume(server, idOf(events)))).toBe('internal_error');
    expect(await errorOf(await server.post(chat, { ...once, 'last-event-id': '0' }))).toBe('internal_error');
    expect(await errorOf(await server.post(chat, once))).toBe('internal_error');
    expect(engine.asked).toHaveLength(2);
  });

  test('that is refused before its first event gets a status, and leaves nothing', async () => {
    const { first } = await replicas();
    const response = await first.post({ ...chat, model: 'none' }, once);
    expect([response.status, await errorOf(response)]).toEqual([404, 'model_not_found']);
    const none = await first.post({ ...chat, model: 'none' }, { ...once, 'last-event-id': '0' });
    expect([none.status, await errorOf(none)]).toEqual([404, 'not_found']);
  });

  test('belongs to its project', async () => {
    const stores = storesOver(openMemory(), () => {});
    const first = await listen({ engines: [scriptedEngine(() => says('a'))], stores });
    const times = { leaseMs: 60_000, keepMs: 60_000 };
    await stores.project('q').eventStreams.create('chatcmpl-other', times);
    expect((await resume(first, 'chatcmpl-other')).status).toBe(404);
    expect((await cancel(first, 'chatcmpl-other')).status).toBe(404);
    expect((await resume(first, 'chatcmpl-none')).status).toBe(404);
  });
});

describe('with continueLost, a stream whose server died', () => {
  /** Writes two words and no more; continues a text to its end. */
  const dyingEngine = (can: CapabilitiesInit = { assistant_prefill: true }) =>
    scriptedEngine(
      async function* ({ messages }, { signal }): AsyncGenerator<ChatEvent> {
        const last = messages.at(-1);
        if (last?.role === 'assistant') {
          yield* says(...words.slice(2));
          return;
        }
        for (const text of words.slice(0, 2)) yield { type: 'text', choice: 0, text };
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
      { can, promptTokens: 3 },
    );

  /** Starts a stream and takes the lease from its server. */
  async function died(body: object, engine = dyingEngine()) {
    const servers = await replicas({ engines: [engine], resumableStreams: { continueLost: true } });
    const { events } = await read(await servers.first.post(body), 3);
    const id = idOf(events);
    const { eventStreams } = servers.stores.project('p');
    await vi.waitFor(
      async () => expect((await eventStreams.read(id, { after: 1, limit: 1 }))?.segments).toHaveLength(1),
      5000,
    );
    await eventStreams.renew(id, { leaseMs: 0, keepMs: 60_000 });
    return { ...servers, id, events };
  }
  const usage = { ...resumable, stream_options: { resumable: true, include_usage: true } };

  test('is continued by one other server, from the stored text on', async () => {
    const engine = dyingEngine();
    const { second, stores, id, events: start } = await died(usage, engine);
    const third = await listen({ engines: [engine], stores, resumableStreams: { continueLost: true } });
    const [one, other] = await Promise.all([second, third].map(async (server) => read(await resume(server, id))));
    expect(one?.text).toBe(other?.text);
    const events = one?.events.slice(0, -1) ?? [];
    expect(events.slice(0, 3).map(({ data }) => data)).toEqual(start.map(({ data }) => data));
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => `${index}`));
    const chunks = events.map(({ data }) => JSON.parse(data) as ChatCompletionChunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(words.join(''));
    expect(new Set(chunks.map(({ id, created }) => `${id} ${created}`)).size).toBe(1);
    // The prompt twice, and all tokens.
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 5 });
    expect(engine.asked.map(({ request }) => request.messages.at(-1))).toEqual([
      chat.messages[0],
      { role: 'assistant', content: 'ab' },
    ]);
  });

  test('has the output limit of its request', async () => {
    const engine = dyingEngine({ assistant_prefill: true, parameters: { max_completion_tokens: 'native' } });
    const { second, id } = await died({ ...resumable, max_completion_tokens: 7 }, engine);
    await read(await resume(second, id));
    expect(engine.asked.at(-1)?.request.max_completion_tokens).toBe(5);
  });

  test.each<[string, object, CapabilitiesInit?]>([
    ['whose engine does not continue texts', resumable, {}],
    ['that is stored', { ...chat, store: true }],
    ['with a stop sequence', { ...resumable, stop: ['z'] }],
  ])('%s ends with an error', async (_, body, can) => {
    const { second, id } = await died(body, dyingEngine(can));
    expect(await errorOf(await resume(second, id))).toBe('stream_interrupted');
  });
});

describe('a request with Last-Event-ID', () => {
  test.each([
    ['without a key', {}, {}],
    ['that is no integer', { ...once, 'last-event-id': 'x' }, {}],
    ['for a whole reply', once, { stream: false }],
    ['for a whole reply that is no integer', { ...once, 'last-event-id': '-1' }, { stream: false }],
  ])('%s is refused', async (_, headers, body) => {
    const { first } = await replicas();
    const response = await first.post({ ...chat, ...body }, { 'last-event-id': '1', ...headers });
    expect([response.status, await errorOf(response)]).toEqual([400, 'invalid_value']);
  });
});

test('resumable is refused by a server without stores', async () => {
  const { post } = await listen({ engines: [scriptedEngine(() => says('a'))] });
  const response = await post(resumable);
  expect([response.status, await errorOf(response)]).toEqual([400, 'unsupported_parameter']);
});
