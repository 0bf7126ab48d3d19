import { bodyTooLarge } from '../errors.ts';
import type { EventPipe } from '../event-pipe.ts';
import type { BytePipe } from './byte-pipe.ts';
import { callerLeft } from './caller.ts';
import type { Incoming, Outgoing } from './incoming.ts';

/** A web-standard request as the kit reads it. */
export function webIncoming(request: Request, params: Readonly<Record<string, string>>): Incoming {
  return {
    method: request.method,
    url: request.url,
    params,
    header: (name) => request.headers.get(name),
    text: (maxBytes) => readText(request, maxBytes),
    bytes: () => bytesOf(request),
    onLeave(left) {
      if (request.signal.aborted) left();
      else request.signal.addEventListener('abort', left, { once: true });
    },
  };
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get('content-length') ?? '';
  if (/^\d{1,15}$/.test(declared)) {
    if (Number(declared) > maxBytes) throw bodyTooLarge(maxBytes);
    // HTTP itself holds the sender to the declared length; a runtime that does not is held here.
    const text = await request.text();
    if (text.length > maxBytes) throw bodyTooLarge(maxBytes);
    return text;
  }
  if (!request.body) return '';
  // Not declared: counted as it comes, and refused as soon as it is too much.
  const decoder = new TextDecoder();
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw bodyTooLarge(maxBytes);
    }
    text += decoder.decode(value, { stream: true });
  }
}

async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((): never => {
        throw callerLeft();
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Not cancelled: some runtimes would close the connection, and the answer with it.
    reader.releaseLock();
  }
}

export function webResponse({ status, headers, body }: Outgoing, method = ''): Response {
  if (typeof body === 'string') return new Response(body, { status, headers });
  if (method !== 'HEAD') return new Response(readable(body), { status, headers });
  body.cancel(undefined);
  return new Response(null, { status, headers });
}

function readable(pipe: EventPipe | BytePipe): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if ('onStall' in pipe) pipe.onStall(() => controller.error(new Error('the reader took nothing for too long')));
      },
      async pull(controller) {
        const piece = await pipe.next();
        if (piece === undefined) controller.close();
        else controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      },
      cancel: (reason) => pipe.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
