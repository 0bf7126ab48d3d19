import { AbortError, TimeoutError } from '@modelwire/core';
import type { TransportOptions } from '@modelwire/core';
import type { AttemptOutcome, UpstreamObserver } from '@modelwire/ports';
import { interceptors, request as sendRequest } from 'undici/index.js';
import type { Dispatcher } from 'undici';
import { connectionFailureReason, timeoutReason } from './attempts/failures.ts';
import { dispatcher } from './get-text.ts';
import { singleHeaders } from './requests/single-headers.ts';

type Fetch = NonNullable<TransportOptions['fetch']>;

export interface ObservedFetchInit {
  /** Name of the upstream. */
  readonly upstream: string;
  /** Name of the model at the upstream. */
  readonly model: string;
  /** Whether an error status is expected and does not count as a failure. */
  readonly isExpectedStatus: (url: URL, status: number) => boolean;
  readonly observer?: UpstreamObserver | undefined;
  /** Called with the name before each request, and again with the reason if it fails. */
  readonly reportUpstream?: ((name: string, failure?: string) => void) | undefined;
}

/**
 * A `fetch` for the requests of one job, which are sent one after the other. Adds the observer's trace headers. An attempt ends when its
 * response body has been read, and with an error status when its headers arrive.
 */
export function observedFetch({
  upstream,
  model,
  isExpectedStatus,
  observer,
  reportUpstream,
}: ObservedFetchInit): Fetch {
  /** The last request, and how many times in a row it failed. */
  let last = { request: '', failures: 0 };

  return async (address, init) => {
    const url = new URL(address);
    const { origin, pathname: path } = url;
    const { method = 'GET' } = init;
    const request = `${method} ${address}`;
    if (last.request !== request) last = { request, failures: 0 };
    const number = last.failures + 1;
    reportUpstream?.(upstream);
    const observation = observer?.startUpstreamAttempt({ upstream, model, method, origin, path, number });
    let hasEnded = false;
    const end = (outcome: AttemptOutcome): void => {
      // A pending read ends again when its body is cancelled, and so does the body of an error.
      if (hasEnded) return;
      hasEnded = true;
      observation?.end(outcome);
      last.failures = outcome.failure === undefined ? 0 : number;
      if (outcome.failure !== undefined) reportUpstream?.(upstream, outcome.failure);
    };
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(observation?.headers ?? {})) headers.set(name, value);
    try {
      const { statusCode: status, headers: replyHeaders, body } = await send(address, { ...init, headers });
      const ok = status >= 200 && status < 300;
      const hasBody = !statusesWithoutBody.has(status);
      if (!ok || !hasBody)
        end(ok || isExpectedStatus(url, status) ? { status } : { status, failure: `status ${status}` });
      const responseInit = { status, headers: singleHeaders(replyHeaders, []) };
      if (hasBody) return new Response(responseBody(body, status, end), responseInit);
      await body.dump();
      return new Response(null, responseInit);
    } catch (error) {
      end(interruptionOutcome(error));
      throw error;
    }
  };
}

/** Statuses whose responses have no body. */
const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304]);
/** Contents may be at another place, such as that of a storage service. */
const redirecting = dispatcher.compose(interceptors.redirect({ maxRedirections: 5 }));

async function send(address: string, { method, headers, body, signal }: RequestInit & { readonly headers: Headers }) {
  const encoded = new Response(body);
  const type = encoded.headers.get('content-type');
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type);
  return sendRequest(address, {
    method: method ?? 'GET',
    headers,
    body: encoded.body ? Buffer.from(await encoded.arrayBuffer()) : null,
    signal: signal ?? null,
    dispatcher: redirecting,
  });
}

/** The outcome of a request whose connection failed, or that was aborted for this reason. */
function interruptionOutcome(reason: unknown): AttemptOutcome {
  if (reason instanceof TimeoutError) return { failure: timeoutReason(reason.phase) };
  if (reason === undefined || reason instanceof AbortError) return { aborted: true };
  return { failure: connectionFailureReason(reason) };
}

/** The body of a response, which calls `end` when it has been read, has failed, or is cancelled. */
function responseBody(
  body: Dispatcher.ResponseData['body'],
  status: number,
  end: (outcome: AttemptOutcome) => void,
): ReadableStream<Uint8Array> {
  // Cancelling destroys the body, which emits an error that must not end the process.
  body.on('error', () => undefined);
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done !== true) {
            controller.enqueue(next.value);
            return;
          }
          controller.close();
          end({ status });
        } catch (error) {
          end({ status, ...interruptionOutcome(error) });
          throw error;
        }
      },
      cancel(reason) {
        end({ status, ...interruptionOutcome(reason) });
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
