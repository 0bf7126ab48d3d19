import { ConnectionError, StreamError, TimeoutError } from '../errors.ts';
import { mapApiPromise } from '../transport/map-api-promise.ts';
import type { ApiPromise } from '../transport/transport.ts';
import type { EventStream } from './stream.ts';

interface ResumableStreamInit<T> {
  /** Requests the stream, or what follows the event with this ID. */
  readonly open: (lastEventId: string | undefined, signal: AbortSignal | undefined) => ApiPromise<EventStream<T>>;
  /** Whether a reopened stream continues the first. Default: it does. */
  readonly isContinued?: (stream: EventStream<T>) => boolean;
  /** How often the stream is reopened without receiving anything new. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Aborts the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the last payload when the caller leaves a stream that its server would generate to its end. */
  readonly onLeave?: (last: T) => void;
}

/** A stream that continues after its last event when its connection breaks, if its server gives the events IDs. */
export function resumableStream<T>(init: ResumableStreamInit<T>): ApiPromise<EventStream<T>> {
  return mapApiPromise(
    () => init.open(undefined, init.signal),
    async (stream) => continuing(stream, init),
  );
}

function continuing<T>(first: EventStream<T>, init: ResumableStreamInit<T>): EventStream<T> {
  const { open, isContinued = () => true, maxRetries = 2, signal, onLeave } = init;
  const aborted = new AbortController();
  let hasEnded = false;
  let current = first;
  let isReopening = false;
  let last: { readonly payload: T } | undefined;
  let lastEventId: string | undefined;

  function leave(): void {
    signal?.removeEventListener('abort', leave);
    aborted.abort();
    if (hasEnded) return;
    hasEnded = true;
    if (lastEventId !== undefined && last) onLeave?.(last.payload);
  }
  function end(): void {
    hasEnded = true;
    signal?.removeEventListener('abort', leave);
  }
  signal?.addEventListener('abort', leave);

  async function* batches(firstBatches: ReturnType<EventStream<T>['batches']>) {
    let received = firstBatches;
    let failures = 0;
    try {
      for (;;) {
        try {
          for await (const batch of received) {
            failures = 0;
            lastEventId = current.lastEventId ?? lastEventId;
            const payload = batch.at(-1);
            if (payload !== undefined) last = { payload };
            yield batch;
          }
          end();
          return;
        } catch (error) {
          if (lastEventId === undefined || !isTransient(error) || failures++ >= maxRetries) throw error;
          isReopening = true;
          const next = await open(lastEventId, aborted.signal).finally(() => (isReopening = false));
          if (!isContinued(next)) {
            next.abort();
            throw error;
          }
          current = next;
          received = next.batches();
        }
      }
    } catch (error) {
      end();
      throw error;
    } finally {
      leave();
    }
  }
  return {
    get state() {
      return isReopening ? 'open' : current.state;
    },
    get lastEventId() {
      return current.lastEventId ?? lastEventId;
    },
    requestId: first.requestId,
    response: first.response,
    abort() {
      leave();
      current.abort();
    },
    batches: () => batches(current.batches()),
    [Symbol.asyncIterator]() {
      return flat(batches(current.batches()));
    },
  };
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T, void, undefined> {
  for await (const batch of batches) yield* batch;
}

/** Whether the connection failed, and not the request. */
function isTransient(error: unknown): boolean {
  if (error instanceof StreamError) return error.reason === 'truncated' || error.code === 'shutting_down';
  return error instanceof ConnectionError || (error instanceof TimeoutError && error.phase !== 'total');
}
