import { asStream, createTransport } from '@modelwire/core';
import { createParser } from 'eventsource-parser';
import { Stream } from 'openai/core/streaming';

export type Body = ReadableStream<Uint8Array>;

/** Reads a body to its end and returns the number of JSON objects in it. */
export type Decoder = (body: Body) => Promise<number>;

export interface DecoderRow {
  readonly title: string;
  readonly decode: Decoder;
}

function responseOf(body: Body): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** The transport as applications use it, with a `fetch` that resolves immediately. */
async function open(body: Body) {
  const transport = createTransport({ fetch: () => Promise.resolve(responseOf(body)), maxRetries: 0 });
  return transport.request({ method: 'POST', path: '/chat/completions' }, { body: {} }, asStream<object>());
}

async function* eventsOf(body: Body): AsyncGenerator<object, void> {
  const queue: object[] = [];
  const utf8 = new TextDecoder();
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') queue.push(JSON.parse(data) as object);
    },
    // Its default limit is below cases D and E.
    maxBufferSize: Infinity,
  });
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(utf8.decode(value, { stream: true }));
    for (const event of queue) yield event;
    queue.length = 0;
  }
}

async function countEach(events: AsyncIterable<object>): Promise<number> {
  let count = 0;
  for await (const event of events) if (typeof event === 'object') count++;
  return count;
}

export const decoders = {
  ours: { title: '**Modelwire**, `for await`', decode: async (body) => countEach(await open(body)) },
  batches: {
    title: '**Modelwire**, `.batches()`',
    async decode(body) {
      let count = 0;
      for await (const batch of (await open(body)).batches()) count += batch.length;
      return count;
    },
  },
  openai: {
    title: '`openai`, `for await`',
    decode: (body) => countEach(Stream.fromSSEResponse<object>(responseOf(body), new AbortController())),
  },
  generator: {
    title: '`eventsource-parser` + `JSON.parse`, `for await`',
    decode: (body) => countEach(eventsOf(body)),
  },
  callback: {
    title: '`eventsource-parser` + `JSON.parse`, callback',
    async decode(body) {
      let count = 0;
      const utf8 = new TextDecoder();
      const parser = createParser({
        onEvent: ({ data }) => {
          if (data !== '[DONE]' && typeof JSON.parse(data) === 'object') count++;
        },
        maxBufferSize: Infinity,
      });
      const reader = body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return count;
        parser.feed(utf8.decode(value, { stream: true }));
      }
    },
  },
} satisfies Record<string, DecoderRow>;

export type DecoderName = keyof typeof decoders;

export function isDecoderName(name: string): name is DecoderName {
  return Object.hasOwn(decoders, name);
}
