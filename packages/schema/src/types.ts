// The wire, as types: no runtime, no dependency. Field names are the interface's own.
export type * from './types/requests.ts';
export type { ChatCompletionRole, ImageDetail, InputAudioFormat } from './types/chat-messages.ts';
export type {
  AllowedToolsChoice,
  CustomToolGrammarFormat,
  CustomToolTextFormat,
  GrammarSyntax,
  JsonSchemaObject,
  NamedCustomToolChoice,
  NamedFunctionToolChoice,
  NamedToolChoice,
  ResponseFormatJsonObject,
  ResponseFormatJsonSchema,
  ResponseFormatText,
  StrictFunctionDefinition,
} from './types/chat-tools.ts';
export type {
  ChatCompletionCustomToolCall,
  ChatCompletionFunctionToolCall,
  ChatCompletionToolCall,
  FunctionCall,
} from './types/chat-tool-calls.ts';
export type {
  AudioFormat,
  BuiltInVoice,
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
  Modality,
  PromptCacheRetention,
  ReasoningEffort,
  SearchContextSize,
  Verbosity,
  WebSearchUserLocation,
  ServiceTier,
} from './types/chat-request.ts';
export type { UrlCitationAnnotation } from './types/annotation.ts';
export type {
  ChatCompletion,
  ChatCompletionAudio,
  ChatCompletionChoice,
  ChatCompletionMessage,
  ChoiceLogprobs,
  CompletionUsage,
  FinishReason,
  TokenLogprob,
  TopLogprob,
} from './types/chat-completion.ts';
export type {
  ChatCompletionChunk,
  ChatCompletionChunkChoice,
  ChatCompletionDelta,
  ChatCompletionDeltaToolCall,
} from './types/chat-chunk.ts';
export type {
  ChatCompletionDeleted,
  ChatCompletionList,
  ChatCompletionMessageList,
  ChatCompletionStoredMessage,
  StoredChatCompletion,
} from './types/chat-stored.ts';
export type { Embedding, EmbeddingList, EmbeddingUsage } from './types/embeddings.ts';
export type {
  TextCompletion,
  TextCompletionChoice,
  TextCompletionCreateParams,
  TextCompletionCreateParamsNonStreaming,
  TextCompletionCreateParamsStreaming,
  TextCompletionLogprobs,
} from './types/text-completions.ts';
export type { TextOrTokens } from './types/text-or-tokens.ts';
export type {
  ResponseLogprob,
  ResponseOutputContent,
  ResponseOutputText,
  ResponseReasoningText,
  ResponseRefusal,
  ResponseSummaryText,
  ResponseTopLogprob,
  ResponseUrlCitation,
} from './types/response-content.ts';
export type {
  ResponseAdditionalTools,
  ResponseAssistantMessage,
  ResponseCompaction,
  ResponseCompactionParam,
  ResponseCustomToolCall,
  ResponseCustomToolCallOutput,
  ResponseCustomToolCallParam,
  ResponseFunctionCall,
  ResponseFunctionCallOutput,
  ResponseFunctionCallParam,
  ResponseHostedOutputItem,
  ResponseInputMessage,
  ResponseItemReference,
  ResponseItemStatus,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoning,
  ResponseReasoningParam,
  ResponseWebSearchCall,
  ResponseWebSearchCallParam,
} from './types/response-items.ts';
export type {
  ResponseAllowedTools,
  ResponseNamedChoice,
  ResponseShownFunctionTool,
  ResponseShownTool,
} from './types/response-tools.ts';
export type {
  ResponseCreateParams,
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
  ResponseReasoningEffort,
  ResponseReasoningOptions,
  ResponseReasoningSummary,
  ResponseServiceTier,
  ResponseTextOptions,
  ResponseTruncation,
} from './types/response-request.ts';
export type { ResponseError, ResponseObject, ResponseStatus, ResponseUsage } from './types/response.ts';
export type {
  CompactedResponse,
  ResponseDeleted,
  ResponseInputTokens,
  ResponseItem,
  ResponseItemList,
} from './types/response-stored.ts';
export type { Conversation, ConversationDeleted, ConversationItemList } from './types/conversations.ts';
export type {
  ResponseAnnotationAddedEvent,
  ResponseContentPartEvent,
  ResponseCustomToolCallInputDeltaEvent,
  ResponseCustomToolCallInputDoneEvent,
  ResponseErrorEvent,
  ResponseFunctionCallArgumentsDeltaEvent,
  ResponseFunctionCallArgumentsDoneEvent,
  ResponseLifecycleEvent,
  ResponseOutputItemEvent,
  ResponseReasoningSummaryPartEvent,
  ResponseReasoningSummaryTextDeltaEvent,
  ResponseReasoningSummaryTextDoneEvent,
  ResponseReasoningTextDeltaEvent,
  ResponseReasoningTextDoneEvent,
  ResponseRefusalDeltaEvent,
  ResponseRefusalDoneEvent,
  ResponseStreamEvent,
  ResponseTextDeltaEvent,
  ResponseTextDoneEvent,
  ResponseWebSearchCallEvent,
} from './types/response-events.ts';
export type {
  Moderation,
  ModerationByCategory,
  ModerationCategory,
  ModerationInputType,
  ModerationModel,
  ModerationMultiModalInput,
  ModerationResult,
  NewerModerationCategory,
} from './types/moderations.ts';
export type { Batch, BatchError, BatchList, BatchOutputLine, BatchStatus, BatchUsage } from './types/batches.ts';
export type { Upload, UploadPart, UploadPartCreateParams, UploadStatus } from './types/uploads.ts';
export type {
  FileCreateParams,
  FileDeleted,
  FileObject,
  FileObjectList,
  FileStatus,
  MadeFilePurpose,
} from './types/files.ts';
export type {
  Video,
  VideoCreateParams,
  VideoDeleted,
  VideoList,
  VideoSeconds,
  VideoSize,
  VideoStatus,
  VideoVariant,
} from './types/videos.ts';
export type { Model, ModelCapabilities, ModelList } from './types/models.ts';
export type { ErrorBody, ErrorObject, Problem } from './types/errors.ts';
export type { Metadata } from './types/metadata.ts';
export type { List, ListParams, OrderedListParams, SortOrder } from './types/paging.ts';
export type { NullableOptionals } from './types/nullable-optionals.ts';
export type { Open } from './types/open.ts';
export type {
  AuditLog,
  AuditLogList,
  AuditLogType,
  Budget,
  BudgetDeleted,
  BudgetList,
  BudgetPeriod,
  BudgetUnit,
  CostsGrouping,
  CostsPage,
  CostsResult,
  Project,
  ProjectApiKey,
  ProjectApiKeyDeleted,
  ProjectApiKeyList,
  ProjectApiKeyRole,
  ProjectApiKeyWithValue,
  ProjectList,
  Webhook,
  WebhookDeleted,
  WebhookDelivery,
  WebhookDeliveryAttempt,
  WebhookDeliveryList,
  WebhookDeliveryState,
  WebhookEventType,
  WebhookList,
  WebhookWithSecret,
} from './types/organization.ts';
export type { UsageBucket, UsageGrouping, UsagePage, UsageResult } from './types/usage.ts';
