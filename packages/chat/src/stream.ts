import { AbortError, asStream, InputError, StreamError, toModelwireError } from '@modelwire/core';
import type {
  ApiResult,
  CallOptions,
  ErrorDetails,
  EventStream,
  ModelwireError,
  StreamState,
  Transport,
} from '@modelwire/core';
import { createChatCompletion } from '@modelwire/schema/routes';
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionCreateParamsBase } from '@modelwire/schema/types';
import { createAccumulator } from './accumulate.ts';
import type { ChatSnapshot } from './accumulate.ts';
import { emitEvents, emitText } from './stream-events.ts';
import type { ChatStreamEvent } from './stream-events.ts';

/** Body of Create chat completion. `stream` is always true, and `stream_options.include_usage` is true by default. */
export interface ChatStreamParams extends Omit<ChatCompletionCreateParamsBase, 'stream'> {
  readonly stream?: true;
}

/**
 * A completion that is accumulated while it streams. Iterate its events, await `final()`, or do both; or iterate `text()`. Nothing is
 * read ahead unless `final()` was called.
 *
 * It ends in exactly one state. `finished`: `[DONE]` arrived and every choice has its `finish_reason`; loops end and `final()`
 * resolves. `failed` and `aborted`: loops throw and `final()` rejects, with the same `ModelwireError`.
 */
export interface ChatStream extends AsyncIterable<ChatStreamEvent, void, undefined> {
  readonly state: StreamState;
  /** The complete completion. Reads the stream to its end, whether or not it is iterated. */
  final(): Promise<ChatCompletion>;
  /** Iterates the text deltas of the first choice instead of the events. Leaving the loop aborts the stream. */
  text(): AsyncIterable<string, void, undefined>;
  /** A copy of the completion so far, also after a failure; `undefined` before the first chunk. */
  snapshot(): ChatSnapshot | undefined;
  /** Aborts the call, so that the server stops generating. No effect after the end. */
  abort(): void;
  /** This stream with its response, request id and attempts. Resolves when the response has started. */
  withResponse(): Promise<ApiResult<ChatStream>>;
}

/** Sends the request immediately. The response is read on demand. */
export function createChatStream(
  transport: Transport,
  params: ChatStreamParams,
  options: CallOptions = {},
): ChatStream {
  const { signal } = options;
  const controller = new AbortController();
  const accumulator = createAccumulator();
  let state: StreamState = 'open';
  let completion: ChatCompletion | undefined;
  let failure: ModelwireError | undefined;
  let opened: ApiResult<EventStream<ChatCompletionChunk>> | undefined;
  let batches: AsyncIterator<readonly ChatCompletionChunk[], void, undefined> | undefined;
  let pendingRead: Promise<void> | undefined;
  let onChunk: ((chunk: ChatCompletionChunk) => void) | undefined;

  const onAbort = (): void => abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort);

  const body = { ...params, stream: true, stream_options: { include_usage: true, ...params.stream_options } };
  const request = { ...options, signal: controller.signal, body };
  const pendingResponse = transport
    .request(createChatCompletion, request, asStream<ChatCompletionChunk>())
    .withResponse();
  // A failed call ends the stream, even if nothing reads it.
  pendingResponse.then((result) => (opened = result), fail);

  const stream: ChatStream = {
    get state() {
      return state;
    },
    final,
    text: () => iterate(emitText),
    snapshot: () => accumulator.snapshot(),
    abort: () => abort(),
    withResponse: async () => ({ ...(await pendingResponse), data: stream }),
    [Symbol.asyncIterator]: () => iterate(emitEvents),
  };
  return stream;

  async function final(): Promise<ChatCompletion> {
    while (completion === undefined) {
      if (failure !== undefined) throw failure;
      await advance();
    }
    return completion;
  }

  function iterate<T>(
    emitFrom: (chunk: ChatCompletionChunk, emit: (item: T) => void) => void,
  ): AsyncGenerator<T, void, undefined> {
    if (onChunk !== undefined || batches !== undefined) {
      throw new InputError('A stream can be iterated once, before final().', details());
    }
    let ready: T[] = [];
    const emit = (item: T): void => void ready.push(item);
    onChunk = (chunk) => emitFrom(chunk, emit);

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

  /** Reads the next chunks. Concurrent calls share one read. */
  function advance(): Promise<void> {
    return (pendingRead ??= read().finally(() => (pendingRead = undefined)));
  }

  async function read(): Promise<void> {
    try {
      batches ??= (await pendingResponse).data.batches()[Symbol.asyncIterator]();
      const next = await batches.next();
      if (next.done === true) finish();
      else {
        for (const chunk of next.value) {
          accumulator.push(chunk);
          onChunk?.(chunk);
        }
      }
    } catch (error) {
      fail(error);
    }
  }

  function finish(): void {
    const snapshot = accumulator.snapshot();
    if (isComplete(snapshot)) {
      if (end('finished')) completion = snapshot;
    } else {
      fail(new StreamError('truncated', 'The stream ended before every choice had its finish_reason.', details()));
    }
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
    signal?.removeEventListener('abort', onAbort);
    return true;
  }

  function details(): ErrorDetails {
    if (opened === undefined) return {};
    const { response, requestId, attempts } = opened;
    return { status: response.status, headers: response.headers, requestId, attempts };
  }
}

function isComplete(snapshot: ChatSnapshot | undefined): snapshot is ChatCompletion {
  return snapshot?.choices.every((choice) => choice.finish_reason !== null) === true;
}
