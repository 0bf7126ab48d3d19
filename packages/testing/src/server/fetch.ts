import type { Noted, RequestRecord } from './requests.ts';

export interface OwnFetchInit {
  readonly baseURL: string;
  readonly requests: RequestRecord;
  /** `text`: the body, where it is JSON. */
  readonly handle: (request: Request, text: string | undefined) => Promise<Response>;
}

/** A `fetch` that asks the server in this process, as if there was a connection: who aborts gets their error at once. */
export function ownFetch({ baseURL, requests, handle }: OwnFetchInit): typeof globalThis.fetch {
  return async (input, init) => {
    const { request, text } = await taken(input, init, baseURL);
    const { protocol, pathname, search } = new URL(request.url);
    // Clients ask for `data:,` to learn what a `fetch` can do.
    if (!protocol.startsWith('http')) return globalThis.fetch(request);
    const { method, headers } = request;
    const noted: Noted = { method, url: `${pathname}${search}`, headers, text, status: undefined };
    requests.add(noted);
    const { signal } = request;
    signal.throwIfAborted();
    const answer = await abortable(handle(request, text), signal);
    noted.status = answer.status;
    const response = answer.body ? new Response(watched(answer.body, signal), answer) : answer;
    Object.defineProperty(response, 'url', { value: request.url });
    return response;
  };
}

/** The request, and its body where that is a text to be kept. */
async function taken(
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
  // Whatever it is that an abort broke, the caller gets the reason.
  const orReason = value.catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
  return Promise.race([orReason, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** The same bytes, as far as nobody aborts. */
function watched(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
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
