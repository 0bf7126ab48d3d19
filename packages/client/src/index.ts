export { Modelwire, Modelwire as default } from './modelwire.ts';
export type { ModelwireOptions } from './options.ts';
export { InvalidResponseError } from './validation.ts';
export type { InvalidField, ValidationOptions, Validator } from './validation.ts';
export type { Chat, Completions } from './chat.ts';
export type { Files } from './files.ts';
export type { Uploads } from './uploads.ts';

// Each resource by itself: a bundle that names these alone has nothing of the others.
export { createBatches } from '@modelwire/batches';
export { createChat } from '@modelwire/chat';
export { createFiles } from '@modelwire/files';
export { createModels } from '@modelwire/models';
export { createModerations } from '@modelwire/moderations';
export * from './datasets.ts';
export * from './organization.ts';
export { createCompletions, createConversations, createEmbeddings, createResponses } from '@modelwire/responses';
export { createUploads } from '@modelwire/uploads';
export { createVideos } from '@modelwire/videos';

// What every method takes, gives and throws.
export * from '@modelwire/core/client';
export type {
  ByteRange,
  ByteStream,
  DownloadOptions,
  EventStream,
  FileSource,
  Paged,
  StreamState,
  Uploadable,
  WaitOptions,
} from '@modelwire/core';
export { auditLogTypes, webhookEventTypes } from '@modelwire/schema/internal/enums';
export type * from '@modelwire/schema/types';

// Chat
export { createAccumulator } from '@modelwire/chat';
export type {
  ChatAccumulator,
  ChatChoiceSnapshot,
  ChatClient,
  ChatCompletionMessages,
  ChatCompletions,
  ChatSnapshot,
  ChatStream,
  ChatStreamEvent,
  ChatStreamParams,
} from '@modelwire/chat';
export type {
  DeepPartial,
  Outcome,
  Parsed,
  ParsedCallOf,
  ParsedStream,
  ParsedStreamEvent,
  ParseParams,
  ParseTool,
} from '@modelwire/chat/parse';
export { customTool, tool, ToolError } from '@modelwire/chat/tools';
export type {
  CustomTool,
  FunctionTool,
  RunnableTool,
  RunToolsOptions,
  RunToolsParams,
  SchemaSource,
  StandardSchema,
  ToolContext,
  ToolRun,
  ToolRunEvent,
  ToolRunResult,
} from '@modelwire/chat/tools';

// Responses, conversations, embeddings and legacy completions
export { createResponseAccumulator } from '@modelwire/responses';
export type {
  CompletionsClient,
  ConversationItemPath,
  ConversationItemRetrieveParams,
  ConversationItems,
  ConversationItemsCreateInput,
  ConversationsClient,
  EmbeddingsClient,
  ModelResponse,
  NumericEmbedding,
  NumericEmbeddingList,
  ResponseAccumulator,
  ResponseInputItems,
  ResponseInputTokenCounts,
  ResponseRetrieveParamsNonStreaming,
  ResponseRetrieveParamsStreaming,
  ResponsesClient,
  ResponseStream,
  ResponseStreamParams,
  StoredResponseStreamParams,
} from '@modelwire/responses';

// Batches
export { BatchFailedError, batchInput } from '@modelwire/batches';
export type {
  BatchResponseBody,
  BatchRequestBody,
  BatchCollector,
  BatchesClient,
  BatchFailure,
  BatchRequest,
  BatchResult,
  BatchRunOptions,
  BatchSuccess,
  CollectOptions,
} from '@modelwire/batches';

// Files and uploads
export type { FileCreateInput, FilesClient } from '@modelwire/files';
export type {
  FileUpload,
  Md5,
  Md5Option,
  StreamedFile,
  UploadFileOptions,
  UploadPartInput,
  UploadProgress,
  UploadsClient,
  UploadState,
} from '@modelwire/uploads';

// Moderation, videos, models
export type { ModeratedInput, ModerateManyOptions, ModerationInput, ModerationsClient } from '@modelwire/moderations';
export type { VideoCreateInput, VideosClient } from '@modelwire/videos';
export type { ModelsClient } from '@modelwire/models';
