import { readError } from './response-reader.ts';
import type { ResponseReader } from './response-reader.ts';
import { attempt } from './attempt.ts';
import { encodeBody } from './body.ts';
import { AbortError, ConnectionError, TimeoutError } from '../errors.ts';
import type { Attempt, ModelwireError } from '../errors.ts';
import { createCallAbort, startTimer, throwIfAborted, toModelwireError, raceAbort } from './exchange.ts';
import type { CallContext, CallAbort, Exchange } from './exchange.ts';
import { resolveTimeouts } from './options.ts';
import type { RequestOptions, TransportSettings } from './options.ts';
import { isRetryable, retryAfterMs } from './retry.ts';
import { buildURL } from './url.ts';
import type { Route } from './url.ts';

/** The result of a call with its response and attempts. */
export interface ApiResult<T> {
  readonly data: T;
  /** Status and headers. The body is consumed: with `asResponse`, use `data`. */
  readonly response: Response;
  /** The response's `x-request-id`. */
  readonly requestId: string | undefined;
  /** All attempts, oldest first. The last one succeeded. */
  readonly attempts: readonly Attempt[];
}

/** Runs one call: its attempts, the delays between them, and the timeouts of the whole call. */
export async function call<T>(
  settings: TransportSettings,
  route: Route,
  options: RequestOptions,
  reader: ResponseReader<T>,
): Promise<ApiResult<T>> {
  const attempts: Attempt[] = [];
  const context: CallContext = { attempts, status: undefined, headers: undefined, requestId: undefined };
  const timeouts = resolveTimeouts(options, settings.timeouts, reader.readsAll);
  const { signal } = options;
  let callAbort = createCallAbort();

  // Linked manually: AbortSignal.any leaks on a signal that outlives many calls.
  const onAbort = (): void => {
    callAbort.abort(new AbortError('The caller aborted the call.', { ...context, cause: signal?.reason }));
  };
  const total = startTimer(timeouts.total, () => {
    callAbort.abort(new TimeoutError('total', timeouts.total, { ...context }));
  });
  const release = (): void => {
    clearTimeout(total);
    signal?.removeEventListener('abort', onAbort);
  };

  try {
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort);
    const body = encodeBody(options.body);
    const retries = body.isReplayable ? (options.maxRetries ?? settings.maxRetries) : 0;
    const url = buildURL(settings.baseURL, route.path, options.params, options.query);
    const { accept } = reader;
    const { headers } = options;
    // One key for all attempts, so that the server can tell a retry from a second request.
    const idempotencyKey = options.idempotencyKey ?? (route.method === 'POST' ? randomKey() : undefined);
    const plan = { settings, route, url, body, headers, idempotencyKey, accept, timeouts, context };

    for (;;) {
      const started = performance.now();
      const record = (error?: string, retryDelayMs?: number): void => {
        const { status, requestId } = context;
        attempts.push({ durationMs: performance.now() - started, status, requestId, error, retryDelayMs });
      };
      let exchange: Exchange | undefined;
      let delay: number | undefined;
      try {
        throwIfAborted(callAbort);
        exchange = await attempt(plan, callAbort);
        const { response } = exchange;
        if (response.ok) {
          const data = await reader.read(exchange, retries);
          record();
          exchange.whenClosed(release);
          return { data, response, requestId: context.requestId, attempts };
        }
        if (attempts.length < retries) delay = delayAfter(response, settings, attempts.length);
        if (delay === undefined) throw await readError(exchange);
        exchange.close();
        record(`status ${response.status}`, delay);
      } catch (thrown) {
        exchange?.close();
        const failure = toModelwireError(thrown, context);
        if (attempts.length < retries && isTransient(failure)) delay = settings.backoff(attempts.length);
        record(failure.message, delay);
        if (delay === undefined) throw failure;
        // A timeout of this attempt must not abort the next one.
        if (callAbort.reason() === failure) callAbort = createCallAbort();
        // The caller may have aborted while the attempt failed.
        if (signal?.aborted === true) onAbort();
      }
      await sleep(delay, callAbort);
    }
  } catch (error) {
    release();
    throw error;
  }
}

/** Milliseconds to wait after this response before the next attempt; `undefined` for no further attempt. */
function delayAfter(response: Response, settings: TransportSettings, failedAttempts: number): number | undefined {
  if (!isRetryable(response)) return undefined;
  const requested = retryAfterMs(response.headers);
  // Retrying sooner than requested would add to the load, so a delay that is too long means no retry.
  if (requested !== undefined) return requested <= settings.maxRetryAfterMs ? requested : undefined;
  return settings.backoff(failedAttempts);
}

function isTransient(error: ModelwireError): boolean {
  return error instanceof ConnectionError || (error instanceof TimeoutError && error.phase !== 'total');
}

async function sleep(ms: number, callAbort: CallAbort): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await raceAbort(callAbort, new Promise<void>((resolve) => (timer = startTimer(ms || 1, resolve))));
  } finally {
    clearTimeout(timer);
  }
}

/** 128 random bits. Not crypto.randomUUID, which browsers lack outside secure contexts. */
export function randomKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join('-');
}
