// The wire, as types: no runtime, no dependency. Field names are the interface's own.
export type {
  ChatCompletionAssistantContentPart,
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionContentPartFile,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
  ChatCompletionContentPartRefusal,
  ChatCompletionContentPartText,
  ChatCompletionDeveloperMessageParam,
  ChatCompletionFunctionMessageParam,
  ChatCompletionMessageParam,
  ChatCompletionRole,
  ChatCompletionSystemMessageParam,
  ChatCompletionToolMessageParam,
  ChatCompletionUserMessageParam,
  ImageDetail,
  InputAudioFormat,
} from './types/chat-messages.ts';
export type {
  AllowedToolsChoice,
  ChatCompletionCustomTool,
  ChatCompletionCustomToolCall,
  ChatCompletionFunctionTool,
  ChatCompletionFunctionToolCall,
  ChatCompletionTool,
  ChatCompletionToolCall,
  CustomToolFormat,
  CustomToolGrammarFormat,
  CustomToolTextFormat,
  FunctionCall,
  FunctionCallChoice,
  FunctionDefinition,
  GrammarSyntax,
  JsonSchemaObject,
  NamedCustomToolChoice,
  NamedFunctionToolChoice,
  NamedToolChoice,
  ResponseFormat,
  ResponseFormatJsonObject,
  ResponseFormatJsonSchema,
  ResponseFormatText,
  StrictFunctionDefinition,
  ToolChoice,
} from './types/chat-tools.ts';
export type {
  AudioFormat,
  BuiltInVoice,
  ChatCompletionAudioParam,
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsBase,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionPrediction,
  ChatCompletionStreamOptions,
  Modality,
  PromptCacheRetention,
  ReasoningEffort,
  SearchContextSize,
  Verbosity,
  WebSearchOptions,
  WebSearchUserLocation,
} from './types/chat-request.ts';
export type { ServiceTier } from './types/service-tier.ts';
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
  ChatCompletionListParams,
  ChatCompletionMessageList,
  ChatCompletionMessageListParams,
  ChatCompletionStoredMessage,
  ChatCompletionUpdateParams,
  StoredChatCompletion,
} from './types/chat-stored.ts';
export type {
  Moderation,
  ModerationByCategory,
  ModerationCategory,
  ModerationCreateParams,
  ModerationImageInput,
  ModerationInputType,
  ModerationModel,
  ModerationMultiModalInput,
  ModerationResult,
  ModerationTextInput,
  NewerModerationCategory,
} from './types/moderations.ts';
export type {
  Batch,
  BatchCreateParams,
  BatchEndpoint,
  BatchError,
  BatchInputLine,
  BatchList,
  BatchListParams,
  BatchOutputLine,
  BatchStatus,
  BatchUsage,
} from './types/batches.ts';
export type {
  Upload,
  UploadCompleteParams,
  UploadCreateParams,
  UploadPart,
  UploadPartCreateParams,
  UploadStatus,
} from './types/uploads.ts';
export type {
  FileCreateFields,
  FileCreateParams,
  FileDeleted,
  FileListParams,
  FileObject,
  FileObjectList,
  FilePurpose,
  FileStatus,
  MadeFilePurpose,
} from './types/files.ts';
export type {
  Video,
  VideoContentParams,
  VideoCreateFields,
  VideoCreateParams,
  VideoDeleted,
  VideoInputReference,
  VideoList,
  VideoListParams,
  VideoRemixParams,
  VideoSeconds,
  VideoSize,
  VideoStatus,
  VideoVariant,
} from './types/videos.ts';
export type { Model, ModelCapabilities, ModelList } from './types/models.ts';
export type { ErrorBody, ErrorObject, Problem } from './types/errors.ts';
export type { Metadata } from './types/metadata.ts';
export type { List, ListParams, OrderedListParams, SortOrder } from './types/paging.ts';
export type { ExpiresAfter } from './types/expires-after.ts';
export type { NullableOptionals } from './types/nullable-optionals.ts';
export type { Open } from './types/open.ts';
export type { UsageBucket, UsageGrouping, UsagePage, UsageParams, UsageResult } from './types/usage.ts';
