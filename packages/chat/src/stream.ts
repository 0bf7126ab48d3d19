import { asStream, createAccumulatedStream } from '@modelwire/core';
import type { ApiResult, CallOptions, StreamState, Transport } from '@modelwire/core';
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
  const body = { ...params, stream: true, stream_options: { include_usage: true, ...params.stream_options } };
  return createAccumulatedStream(
    (signal) => transport.request(createChatCompletion, { ...options, signal, body }, asStream<ChatCompletionChunk>()),
    options.signal,
    createAccumulator(),
    (snapshot) => (isComplete(snapshot) ? snapshot : undefined),
    emitEvents,
    emitText,
  );
}

function isComplete(snapshot: ChatSnapshot | undefined): snapshot is ChatCompletion {
  return snapshot?.choices.every((choice) => choice.finish_reason !== null) === true;
}
