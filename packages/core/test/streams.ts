import type { RequestOptions, TransportOptions } from '../src/transport/options.ts';
import { asStream } from '../src/streams/stream.ts';
import type { EventStream, StreamOptions } from '../src/streams/stream.ts';
import { createTransport } from '../src/transport/transport.ts';
import { serve } from './server.ts';
import type { Handler } from './server.ts';

export interface Chunk {
  readonly n: number;
}

export const create = { method: 'POST', path: '/things' } as const;
export const DONE = 'data: [DONE]\n\n';
export const event = (n: number): string => `data: {"n":${n}}\n\n`;

/** A stream over a real connection. */
export async function openStream(
  handler: Handler,
  options: TransportOptions = {},
  call: RequestOptions = {},
): Promise<EventStream<Chunk>> {
  const { baseURL } = await serve(handler);
  return createTransport({ baseURL, apiKey: 'sk-secret', backoff: () => 0, ...options }).request(
    create,
    call,
    asStream<Chunk>(),
  );
}

/** A stream over a body in memory, a chunk for each read. */
export function openBody(
  chunks: (string | Uint8Array)[],
  source: UnderlyingDefaultSource<Uint8Array> = {},
  options: StreamOptions<Chunk> = {},
): Promise<EventStream<Chunk>> {
  const encoder = new TextEncoder();
  const remaining = chunks.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = remaining.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      ...source,
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/event-stream', 'x-request-id': 'req_m' };
  const transport = createTransport({ fetch: async () => new Response(body, { headers }), maxRetries: 0 });
  return transport.request(create, {}, asStream<Chunk>(options));
}

/** The received payloads and the error of the iteration. */
export async function drain(stream: AsyncIterable<Chunk>): Promise<{ received: number[]; error: unknown }> {
  const received: number[] = [];
  try {
    for await (const { n } of stream) received.push(n);
    return { received, error: undefined };
  } catch (error) {
    return { received, error };
  }
}
