import { asStream, createMethod, listPages, resumableStream } from '@modelwire/core';
import type { ApiPromise, CallOptions, CreateMethod, EventStream, Paged, Transport } from '@modelwire/core';
import {
  createChatCompletion,
  deleteChatCompletion,
  listChatCompletions,
  listChatMessages,
  resumeChatCompletion,
  retrieveChatCompletion,
  updateChatCompletion,
} from '@modelwire/schema/routes';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsBase,
  ChatCompletionDeleted,
  ChatCompletionList,
  ChatCompletionListParams,
  ChatCompletionMessageList,
  ChatCompletionMessageListParams,
  ChatCompletionResumeParams,
  ChatCompletionRetrieveParams,
  ChatCompletionUpdateParams,
  StoredChatCompletion,
} from '@modelwire/schema/types';
import { streamChunks } from './chunks.ts';
import { createChatStream } from './stream.ts';
import type { ChatStream, ChatStreamParams } from './stream.ts';

/** Messages of stored completions. */
export interface ChatCompletionMessages {
  /** Lists the messages of a completion created with `store: true` (API: Get chat messages). */
  list(
    completionId: string,
    params?: ChatCompletionMessageListParams,
    options?: CallOptions,
  ): Paged<ChatCompletionMessageList>;
}

/** Every method rejects only with a `ModelwireError`. */
export interface ChatCompletions {
  /** Creates a chat completion (API: Create chat completion): complete, or with `stream: true` as chunks. */
  readonly create: CreateMethod<ChatCompletionCreateParamsBase, ChatCompletion, ChatCompletionChunk>;
  /** Streams and accumulates a chat completion: events, text, and the complete completion at the end. */
  stream(params: ChatStreamParams, options?: CallOptions): ChatStream;

  /** The chunks of a resumable stream, after the event `starting_after`, also while it is generated. */
  resume(
    completionId: string,
    params?: ChatCompletionResumeParams,
    options?: CallOptions,
  ): ApiPromise<EventStream<ChatCompletionChunk>>;

  /** Retrieves a completion created with `store: true`. */
  retrieve(
    completionId: string,
    options?: CallOptions & { readonly query?: Pick<ChatCompletionRetrieveParams, 'include'> },
  ): ApiPromise<StoredChatCompletion>;
  /** Replaces the metadata of a stored completion (API: Update chat completion). */
  update(
    completionId: string,
    params: ChatCompletionUpdateParams,
    options?: CallOptions,
  ): ApiPromise<StoredChatCompletion>;
  /** Lists stored completions (API: List chat completions): `await` one page, or iterate all of them with `for await`. */
  list(params?: ChatCompletionListParams, options?: CallOptions): Paged<ChatCompletionList>;
  /** Deletes a stored completion. */
  delete(completionId: string, options?: CallOptions): ApiPromise<ChatCompletionDeleted>;
  readonly messages: ChatCompletionMessages;
}

export function createCompletions(transport: Transport): ChatCompletions {
  return {
    create: createMethod(transport, createChatCompletion, undefined, (options, { store }) =>
      streamChunks(transport, options, store === true),
    ),
    stream: (params, options) => createChatStream(transport, params, options),
    resume: (completion_id, query, options) =>
      resumableStream({
        open: (lastEventId, signal) =>
          transport.request(
            resumeChatCompletion,
            {
              ...options,
              signal,
              params: { completion_id },
              query: { starting_after: lastEventId ?? query?.starting_after },
            },
            asStream<ChatCompletionChunk>(),
          ),
        maxRetries: options?.maxRetries ?? transport.maxRetries,
        signal: options?.signal,
      }),
    retrieve: (completion_id, options) =>
      transport.request(retrieveChatCompletion, { ...options, params: { completion_id } }),
    update: (completion_id, body, options) =>
      transport.request(updateChatCompletion, { ...options, params: { completion_id }, body }),
    list: (query, options) => listPages(transport, listChatCompletions, query, options),
    delete: (completion_id, options) =>
      transport.request(deleteChatCompletion, { ...options, params: { completion_id } }),
    messages: {
      list: (completion_id, query, options) =>
        listPages(transport, listChatMessages, query, { ...options, params: { completion_id } }),
    },
  };
}
