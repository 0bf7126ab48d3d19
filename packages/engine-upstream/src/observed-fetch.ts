import { AbortError, TimeoutError } from '@modelwire/core';
import type { TransportOptions } from '@modelwire/core';
import type { AttemptOutcome, UpstreamObserver } from '@modelwire/ports';
import { connectionFailureReason, timeoutReason } from './attempts/failures.ts';

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
      // A pending read ends again when its body is cancelled.
      if (hasEnded) return;
      hasEnded = true;
      observation?.end(outcome);
      last.failures = outcome.failure === undefined ? 0 : number;
      if (outcome.failure !== undefined) reportUpstream?.(upstream, outcome.failure);
    };
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(observation?.headers ?? {})) headers.set(name, value);
    try {
      const response = await fetch(address, { ...init, headers });
      const { ok, status, headers: responseHeaders, body } = response;
      // Without the reason phrase, which may have characters that a `Response` cannot have.
      if (ok && body) return new Response(observedBody(body, status, end), { status, headers: responseHeaders });
      end(ok || isExpectedStatus(url, status) ? { status } : { status, failure: `status ${status}` });
      return response;
    } catch (error) {
      end(interruptionOutcome(error));
      throw error;
    }
  };
}

/** The outcome of a request whose connection failed, or that was aborted for this reason. */
function interruptionOutcome(reason: unknown): AttemptOutcome {
  if (reason instanceof TimeoutError) return { failure: timeoutReason(reason.phase) };
  if (reason === undefined || reason instanceof AbortError) return { aborted: true };
  return { failure: connectionFailureReason(reason) };
}

/** The same body, which calls `end` when it has been read, has failed, or is cancelled. */
function observedBody(
  body: ReadableStream<Uint8Array>,
  status: number,
  end: (outcome: AttemptOutcome) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value } = await reader.read();
          if (value !== undefined) {
            controller.enqueue(value);
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
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
