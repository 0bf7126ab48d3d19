import type { EventPipe } from '../../streaming/event-pipe.ts';
import type { BytePipe } from '../../streaming/byte-pipe.ts';
import { ClientConnection, clientDisconnected } from '../../limits/client-connection.ts';
import type { HttpRequest } from '../../call.ts';
import type { HttpResponse } from '../reply.ts';

/** Adapts a web-standard request. */
export function webRequest(request: Request, params: Readonly<Record<string, string>>): HttpRequest {
  return {
    method: request.method,
    url: request.url,
    params,
    header: (name) => request.headers.get(name),
    headers: () => request.headers,
    bytes: () => readBytes(request),
    client: clientOf(request),
  };
}

function clientOf({ signal }: Request): ClientConnection {
  const client = new ClientConnection();
  const abort = (): void => client.abort(clientDisconnected());
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return client;
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

export function webResponse({ status, headers, body }: HttpResponse, method: string): Response {
  const isComplete = typeof body === 'string' || body instanceof Uint8Array;
  if (method !== 'HEAD' && !nullBodyStatuses.has(status))
    return new Response(isComplete ? body : toReadableStream(body), { status, headers });
  if (!isComplete) body.cancel(undefined);
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
