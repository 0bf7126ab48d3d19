import { bodyTooLarge } from '../../errors.ts';
import type { EventPipe } from '../../streaming/event-pipe.ts';
import { createChunkBuffer } from '../../chunk-buffer.ts';
import type { BytePipe } from '../../streaming/byte-pipe.ts';
import { clientDisconnected } from '../../client-connection.ts';
import { decodeText } from '../decode-body.ts';
import type { BodyLimits, RequestAdapter, ResponseInit } from './request-adapter.ts';

/** Adapts a web-standard request. */
export function webRequest(request: Request, params: Readonly<Record<string, string>>): RequestAdapter {
  return {
    method: request.method,
    url: request.url,
    params,
    header: (name) => request.headers.get(name),
    headers: () => request.headers,
    text: (limits) => readText(request, limits),
    bytes: () => readBytes(request),
    onDisconnect(listener) {
      if (request.signal.aborted) listener();
      else request.signal.addEventListener('abort', listener, { once: true });
    },
  };
}

async function readText(request: Request, { maxBytes, reserve, watchdog }: BodyLimits): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  if (!request.body) return '';
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const watchedBody = watchdog.watch(failure.reject);
  const body = createChunkBuffer();
  try {
    for (;;) {
      const { done, value } = await Promise.race([readChunk(reader), failure.promise]);
      if (done) break;
      watchedBody.receive(value.byteLength);
      if (body.length + value.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
      reserve(value.byteLength);
      body.add(value);
    }
  } finally {
    watchedBody.end();
    // Not cancelled: some runtimes would close the connection before the response is sent.
    reader.releaseLock();
  }
  return decodeText(body.join(), 'The request body');
}

function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return reader.read().catch((): never => {
    throw clientDisconnected();
  });
}

async function* readBytes(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await readChunk(reader);
      if (done) return;
      yield value;
    }
  } finally {
    // Not cancelled: some runtimes would close the connection before the response is sent.
    reader.releaseLock();
  }
}

/** Statuses with which `Response` does not allow a body. */
const nullBodyStatuses = new Set([204, 205, 304]);

export function webResponse({ status, headers, body }: ResponseInit, method = ''): Response {
  if (typeof body === 'string') return new Response(body, { status, headers });
  if (method !== 'HEAD' && !nullBodyStatuses.has(status))
    return new Response(toReadableStream(body), { status, headers });
  body.cancel(undefined);
  return new Response(null, { status, headers });
}

function toReadableStream(pipe: EventPipe | BytePipe): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        pipe.onStall(() => controller.error(new Error('the reader stalled for too long')));
      },
      async pull(controller) {
        const chunk = await pipe.next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      },
      cancel: (reason) => pipe.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
