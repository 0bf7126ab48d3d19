import type { RecordedRequest, RequestLog } from './requests.ts';

export interface InProcessFetchInit {
  readonly baseURL: string;
  readonly requests: RequestLog;
  /** `text` is the body if it is JSON. */
  readonly handle: (request: Request, text: string | undefined) => Promise<Response>;
}

/** Creates a `fetch` that calls the server in this process and behaves like a connection: an abort rejects immediately. */
export function createInProcessFetch({ baseURL, requests, handle }: InProcessFetchInit): typeof globalThis.fetch {
  return async (input, init) => {
    const { request, text } = await readRequest(input, init, baseURL);
    const { protocol, pathname, search } = new URL(request.url);
    // Clients fetch `data:,` to detect features of `fetch`.
    if (!protocol.startsWith('http')) return globalThis.fetch(request);
    const { method, headers } = request;
    const recorded: RecordedRequest = { method, url: `${pathname}${search}`, headers, text, status: undefined };
    requests.add(recorded);
    const { signal } = request;
    signal.throwIfAborted();
    const answer = await abortable(handle(request, text), signal);
    recorded.status = answer.status;
    const response = answer.body ? new Response(abortableBody(answer.body, signal), answer) : answer;
    Object.defineProperty(response, 'url', { value: request.url });
    return response;
  };
}

/** The request, and its body if it is JSON text. */
async function readRequest(
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
  baseURL: string,
): Promise<{ readonly request: Request; readonly text: string | undefined }> {
  const request = new Request(typeof input === 'string' ? new URL(input, baseURL) : input, init);
  if (typeof init?.body === 'string') return { request, text: init.body };
  if (!request.body || request.headers.get('content-type')?.startsWith('application/json') !== true) {
    return { request, text: undefined };
  }
  const text = await request.text();
  const { method, headers, signal } = request;
  return { request: new Request(request.url, { method, headers, signal, body: text }), text };
}

function abortable<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  // After an abort, any error becomes the reason of the signal.
  const orReason = value.catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
  return Promise.race([orReason, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** The same body, which fails when the signal aborts. */
function abortableBody(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onAbort = (): void => {
          controller.error(signal.reason);
          void reader.cancel(signal.reason).catch(() => undefined);
        };
        signal.addEventListener('abort', onAbort, { once: true });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (signal.aborted) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
