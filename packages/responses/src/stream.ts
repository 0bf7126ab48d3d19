import { AbortError, InputError, StreamError, toModelwireError } from '@modelwire/core';
import type { ApiPromise, ApiResult, ErrorDetails, EventStream, ModelwireError, StreamState } from '@modelwire/core';
import type { ResponseStreamEvent } from '@modelwire/schema/types';
import { createResponseAccumulator, isLastEvent } from './accumulate.ts';
import { withOutputText } from './output-text.ts';
import type { ModelResponse } from './output-text.ts';

/**
 * A response that is accumulated while it streams. Iterate its events, await `final()`, or do both; or iterate `text()`. Nothing is
 * read ahead unless `final()` was called.
 *
 * It ends in exactly one state. `finished`: the event with the whole response arrived (completed, incomplete or failed: see its
 * `status`); loops end and `final()` resolves. `failed` and `aborted`: loops throw and `final()` rejects, with the same `ModelwireError`.
 */
export interface ResponseStream extends AsyncIterable<ResponseStreamEvent, void, undefined> {
  readonly state: StreamState;
  /** The whole response. Reads the stream to its end, whether or not it is iterated. */
  final(): Promise<ModelResponse>;
  /** Iterates the deltas of text instead of the events. Leaving the loop aborts the stream. */
  text(): AsyncIterable<string, void, undefined>;
  /** The response so far, also after a failure; `undefined` before its first event. */
  snapshot(): ModelResponse | undefined;
  /** Aborts the call, so that the server stops generating; a background response continues. No effect after the end. */
  abort(): void;
  /** This stream with its response, request id and attempts. Resolves when the response has started. */
  withResponse(): Promise<ApiResult<ResponseStream>>;
}

/** `open` sends the request, which `signal` aborts. `outerSignal` is the caller's. */
export function createResponseStream(
  open: (signal: AbortSignal) => ApiPromise<EventStream<ResponseStreamEvent>>,
  outerSignal: AbortSignal | undefined,
): ResponseStream {
  const controller = new AbortController();
  const accumulator = createResponseAccumulator();
  let state: StreamState = 'open';
  let hasLastEvent = false;
  let failure: ModelwireError | undefined;
  let opened: ApiResult<EventStream<ResponseStreamEvent>> | undefined;
  let batches: AsyncIterator<readonly ResponseStreamEvent[], void, undefined> | undefined;
  let pendingRead: Promise<void> | undefined;
  let onEvent: ((event: ResponseStreamEvent) => void) | undefined;

  const onAbort = (): void => abort(outerSignal?.reason);
  if (outerSignal?.aborted === true) onAbort();
  else outerSignal?.addEventListener('abort', onAbort);

  const pendingResponse = open(controller.signal).withResponse();
  // A failed call ends the stream, even if nothing reads it.
  pendingResponse.then((result) => (opened = result), fail);

  const stream: ResponseStream = {
    get state() {
      return state;
    },
    final,
    text: () =>
      iterate((event, emit: (text: string) => void) => {
        if (event.type === 'response.output_text.delta') emit(event.delta);
      }),
    snapshot,
    abort: () => abort(),
    withResponse: async () => ({ ...(await pendingResponse), data: stream }),
    [Symbol.asyncIterator]: () =>
      iterate((event, emit: (event: ResponseStreamEvent) => void) => {
        emit(event);
      }),
  };
  return stream;

  function snapshot(): ModelResponse | undefined {
    const response = accumulator.snapshot();
    return response && withOutputText(response);
  }

  async function final(): Promise<ModelResponse> {
    while (state === 'open') await advance();
    if (failure !== undefined) throw failure;
    const response = snapshot();
    if (response === undefined) throw truncated();
    return response;
  }

  function iterate<T>(
    emitFrom: (event: ResponseStreamEvent, emit: (item: T) => void) => void,
  ): AsyncGenerator<T, void, undefined> {
    if (onEvent !== undefined || batches !== undefined) {
      throw new InputError('A stream can be iterated once, before final().', details());
    }
    let ready: T[] = [];
    const emit = (item: T): void => void ready.push(item);
    onEvent = (event) => emitFrom(event, emit);

    return (async function* () {
      try {
        while (state === 'open' || ready.length > 0) {
          const items = ready;
          ready = [];
          for (const item of items) {
            if (state === 'aborted') break;
            yield item;
          }
          await advance();
        }
        if (failure !== undefined) throw failure;
      } finally {
        abort();
      }
    })();
  }

  /** Reads the next events. Concurrent calls share one read. */
  function advance(): Promise<void> {
    return (pendingRead ??= read().finally(() => (pendingRead = undefined)));
  }

  async function read(): Promise<void> {
    try {
      batches ??= (await pendingResponse).data.batches()[Symbol.asyncIterator]();
      const next = await batches.next();
      if (next.done === true) {
        if (hasLastEvent) end('finished');
        else fail(truncated());
        return;
      }
      for (const event of next.value) {
        accumulator.push(event);
        hasLastEvent ||= isLastEvent(event);
        onEvent?.(event);
      }
    } catch (error) {
      fail(error);
    }
  }

  function truncated(): StreamError {
    return new StreamError('truncated', 'The stream ended before the event with the whole response.', details());
  }

  function fail(error: unknown): void {
    if (!end('failed')) return;
    failure = toModelwireError(error, details());
  }

  function abort(cause?: unknown): void {
    if (!end('aborted')) return;
    failure = new AbortError('The caller aborted the stream.', { ...details(), cause });
  }

  /** Sets the final state. Returns false if the stream has already ended. */
  function end(finalState: StreamState): boolean {
    if (state !== 'open') return false;
    state = finalState;
    // Closes the connection of an incomplete response.
    if (finalState !== 'finished') controller.abort();
    outerSignal?.removeEventListener('abort', onAbort);
    return true;
  }

  function details(): ErrorDetails {
    if (opened === undefined) return {};
    const { response, requestId, attempts } = opened;
    return { status: response.status, headers: response.headers, requestId, attempts };
  }
}
