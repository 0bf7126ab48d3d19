import { createAccumulatedStream } from '@modelwire/core';
import type { AccumulatedStream, CallOptions, Transport } from '@modelwire/core';
import type { ChatCompletion, ChatCompletionCreateParamsBase } from '@modelwire/schema/types';
import { streamChunks } from './chunks.ts';
import { createAccumulator } from './accumulate.ts';
import type { ChatSnapshot } from './accumulate.ts';
import { emitEvents, emitText } from './stream-events.ts';
import type { ChatStreamEvent } from './stream-events.ts';

/** Body of Create chat completion. `stream` is always true, and `stream_options.include_usage` is true by default. */
export interface ChatStreamParams extends Omit<ChatCompletionCreateParamsBase, 'stream'> {
  readonly stream?: true;
}

/**
 * A completion that is accumulated while it streams; `text()` iterates the first choice. `finished` when `[DONE]` arrived and every choice
 * has its `finish_reason`.
 */
export type ChatStream = AccumulatedStream<ChatStreamEvent, ChatCompletion, ChatSnapshot>;

/** Sends the request immediately. The response is read on demand. */
export function createChatStream(
  transport: Transport,
  params: ChatStreamParams,
  options: CallOptions = {},
): ChatStream {
  const body = { ...params, stream: true, stream_options: { include_usage: true, ...params.stream_options } };
  return createAccumulatedStream(
    (signal) => streamChunks(transport, { ...options, signal, body }, params.store === true),
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
