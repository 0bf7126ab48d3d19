import type { ApiPromise } from '../transport/transport.ts';
import type { ApiResult } from '../transport/call.ts';
import { AbortError, InputError, StreamError } from '../errors.ts';
import type { ErrorDetails, ModelwireError } from '../errors.ts';
import { toModelwireError } from '../transport/exchange.ts';
import type { EventStream, StreamState } from './stream.ts';

/**
 * A reply that is accumulated while it streams. Iterate it, await `final()`, or do both; or iterate `text()`. Nothing is read ahead unless
 * `final()` was called.
 *
 * It ends in exactly one state. `finished`: the complete reply arrived; loops end and `final()` resolves. `failed` and `aborted`: loops throw
 * and `final()` rejects, with the same `ModelwireError`.
 */
export interface AccumulatedStream<Item, Reply, Snapshot> extends AsyncIterable<Item, void, undefined> {
  readonly state: StreamState;
  /** The complete reply. Reads the stream to its end, whether or not it is iterated. */
  final(): Promise<Reply>;
  /** Iterates the text instead of the items. Leaving the loop aborts the stream. */
  text(): AsyncIterable<string, void, undefined>;
  /** The reply so far, also after a failure; `undefined` before its first payload. */
  snapshot(): Snapshot | undefined;
  /** Aborts the call, so that the server stops generating. No effect after the end. */
  abort(): void;
  /** This stream with its response, request ID and attempts. Resolves when the response has started. */
  withResponse(): Promise<ApiResult<AccumulatedStream<Item, Reply, Snapshot>>>;
}

/** Assembles a reply from the payloads of a stream. */
export interface Accumulator<Payload, Snapshot> {
  readonly push: (payload: Payload) => void;
  readonly snapshot: () => Snapshot | undefined;
}

/** Emits the items that a payload contributes to an iteration. */
export type EmitFrom<Payload, Item> = (payload: Payload, emit: (item: Item) => void) => void;

/**
 * Sends the request immediately. The response is read on demand.
 *
 * @param open Sends the request, which `signal` aborts.
 * @param outerSignal Signal of the caller, which aborts the stream.
 * @param getCompleteReply Returns the complete reply at the end of the stream; `undefined` when a part of it is missing: the stream is truncated.
 * @param emitItems Emits the items that a payload contributes to an iteration of the stream.
 * @param emitText Emits the text that a payload contributes to `text()`.
 */
export function createAccumulatedStream<Payload, Item, Reply, Snapshot>(
  open: (signal: AbortSignal) => ApiPromise<EventStream<Payload>>,
  outerSignal: AbortSignal | undefined,
  accumulator: Accumulator<Payload, Snapshot>,
  getCompleteReply: (snapshot: Snapshot | undefined) => Reply | undefined,
  emitItems: EmitFrom<Payload, Item>,
  emitText: EmitFrom<Payload, string>,
): AccumulatedStream<Item, Reply, Snapshot> {
  const controller = new AbortController();
  let state: StreamState = 'open';
  let reply: Reply | undefined;
  let failure: ModelwireError | undefined;
  let response: ApiResult<EventStream<Payload>> | undefined;
  let batches: AsyncIterator<readonly Payload[], void, undefined> | undefined;
  let pendingRead: Promise<void> | undefined;
  let onPayload: ((payload: Payload) => void) | undefined;

  const onAbort = (): void => abort(outerSignal?.reason);
  if (outerSignal?.aborted === true) onAbort();
  else outerSignal?.addEventListener('abort', onAbort);

  const pendingResponse = open(controller.signal).withResponse();
  // A failed call ends the stream, even if nothing reads it.
  pendingResponse.then((result) => (response = result), fail);

  const stream: AccumulatedStream<Item, Reply, Snapshot> = {
    get state() {
      return state;
    },
    async final() {
      while (reply === undefined) {
        if (failure !== undefined) throw failure;
        await advance();
      }
      return reply;
    },
    text: () => iterate(emitText),
    snapshot: () => accumulator.snapshot(),
    abort: () => abort(),
    withResponse: async () => ({ ...(await pendingResponse), data: stream }),
    [Symbol.asyncIterator]: () => iterate(emitItems),
  };
  return stream;

  function iterate<T>(emitFrom: EmitFrom<Payload, T>): AsyncGenerator<T, void, undefined> {
    if (onPayload !== undefined || batches !== undefined) {
      throw new InputError('A stream can be iterated once, before final().', details());
    }
    let queued: T[] = [];
    const emit = (item: T): void => void queued.push(item);
    onPayload = (payload) => emitFrom(payload, emit);

    return (async function* () {
      try {
        while (state === 'open' || queued.length > 0) {
          const items = queued;
          queued = [];
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

  /** Reads the next payloads. Concurrent calls share one read. */
  function advance(): Promise<void> {
    return (pendingRead ??= read().finally(() => (pendingRead = undefined)));
  }

  async function read(): Promise<void> {
    try {
      batches ??= (await pendingResponse).data.batches()[Symbol.asyncIterator]();
      const next = await batches.next();
      if (next.done === true) finish();
      else {
        for (const payload of next.value) {
          accumulator.push(payload);
          onPayload?.(payload);
        }
      }
    } catch (error) {
      fail(error);
    }
  }

  function finish(): void {
    const completeReply = getCompleteReply(accumulator.snapshot());
    if (completeReply === undefined)
      fail(new StreamError('truncated', 'The stream ended before the reply was complete.', details()));
    else if (end('finished')) reply = completeReply;
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
    return response
      ? {
          status: response.response.status,
          headers: response.response.headers,
          requestId: response.requestId,
          attempts: response.attempts,
        }
      : {};
  }
}
