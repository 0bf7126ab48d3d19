export { createResponses } from './client.ts';
export type {
  ClientOptions,
  ResponseInputItems,
  ResponseInputTokenCounts,
  ResponseRetrieveParamsNonStreaming,
  ResponseRetrieveParamsStreaming,
  ResponsesClient,
  ResponseStreamParams,
  StoredResponseStreamParams,
} from './client.ts';
export { createResponseAccumulator } from './accumulate.ts';
export type { ResponseAccumulator } from './accumulate.ts';
export type { ModelResponse } from './output-text.ts';
export type { ResponseStream } from './stream.ts';

export { createConversations } from './conversations.ts';
export type {
  ConversationItemPath,
  ConversationItemRetrieveParams,
  ConversationItems,
  ConversationItemsCreateInput,
  ConversationsClient,
} from './conversations.ts';

export { createEmbeddings } from './embeddings.ts';
export type { EmbeddingsClient, NumericEmbedding, NumericEmbeddingList } from './embeddings.ts';

export { createCompletions } from './completions.ts';
export type { CompletionsClient } from './completions.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type { EventStream, Paged, StreamState } from '@modelwire/core';
export type * from '@modelwire/schema/types';
