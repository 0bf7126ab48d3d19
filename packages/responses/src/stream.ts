import { createAccumulatedStream } from '@modelwire/core';
import type { ApiPromise, ApiResult, EventStream, StreamState } from '@modelwire/core';
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
  const accumulator = createResponseAccumulator();
  let hasLastEvent = false;
  return createAccumulatedStream(
    open,
    outerSignal,
    {
      push(event) {
        accumulator.push(event);
        hasLastEvent ||= isLastEvent(event);
      },
      snapshot() {
        const response = accumulator.snapshot();
        return response && withOutputText(response);
      },
    },
    (response) => (hasLastEvent ? response : undefined),
    (event, emit: (event: ResponseStreamEvent) => void) => emit(event),
    (event, emit) => {
      if (event.type === 'response.output_text.delta') emit(event.delta);
    },
  );
}
