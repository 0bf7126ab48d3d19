import { createAccumulatedStream } from '@modelwire/core';
import type { AccumulatedStream, ApiPromise, EventStream } from '@modelwire/core';
import type { ResponseStreamEvent } from '@modelwire/schema/types';
import { createResponseAccumulator, isLastEvent } from './accumulate.ts';
import { withOutputText } from './output-text.ts';
import type { ModelResponse } from './output-text.ts';

/**
 * A response that is accumulated while it streams. `finished` when the event with the whole response arrived: completed, incomplete or
 * failed, see its `status`. After `abort()`, a background response continues.
 */
export type ResponseStream = AccumulatedStream<ResponseStreamEvent, ModelResponse, ModelResponse>;

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
