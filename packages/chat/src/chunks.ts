import { asStream, randomKey, resumableStream } from '@modelwire/core';
import type { ApiPromise, EventStream, RequestOptions, Transport } from '@modelwire/core';
import { createChatCompletion, deleteChatCompletion } from '@modelwire/schema/routes';
import type { ChatCompletionChunk } from '@modelwire/schema/types';

/**
 * Streams the chunks of a completion. If the connection breaks and the server gives its events IDs, the request is sent again with the same
 * idempotency key, and continues after the last event. A stream that the caller leaves is cancelled.
 */
export function streamChunks(
  transport: Transport,
  request: RequestOptions,
  isStored: boolean,
): ApiPromise<EventStream<ChatCompletionChunk>> {
  const idempotencyKey = request.idempotencyKey ?? randomKey();
  return resumableStream({
    open: (lastEventId, signal) => {
      const headers = { ...request.headers, 'last-event-id': lastEventId };
      return transport.request(
        createChatCompletion,
        { ...request, headers, signal, idempotencyKey },
        asStream<ChatCompletionChunk>(),
      );
    },
    // Another server may ignore the header, and generate another reply.
    isContinued: ({ response }) => response.headers.get('idempotent-replayed') === 'true',
    maxRetries: request.maxRetries ?? transport.maxRetries,
    signal: request.signal,
    onLeave({ id: completion_id }) {
      // A completion that may be stored by now is kept.
      if (isStored) return;
      transport.request(deleteChatCompletion, { params: { completion_id }, maxRetries: 0 }).catch(() => undefined);
    },
  });
}
