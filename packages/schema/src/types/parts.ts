// Names of parts of the generated types.
import type { Known } from './open.ts';
import type {
  ChatCompletionAudioParam,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartInputAudio,
  ChatCompletionCreateParamsBase,
  ChatCompletionListParams,
  ChatCompletionToolCall,
  ModerationCreateParams,
  ModerationImageInput,
  ModerationTextInput,
  NamedCustomToolChoice,
  NamedFunctionToolChoice,
  ResponseCreateParamsBase,
  ResponseFormat,
  ResponseToolChoice,
  VideoContentParams,
  VideoCreateFields,
  WebSearchOptions,
} from './requests.ts';
import type {
  AuditLog,
  Batch,
  BatchWaitingFor,
  Budget,
  ErrorBody,
  FileObject,
  Moderation,
  ProjectApiKey,
  ResponseOutputMessage,
  Upload,
  UsagePage,
  Video,
} from './responses.ts';

// Chat
export type ImageDetail = NonNullable<ChatCompletionContentPartImage['image_url']['detail']>;
export type InputAudioFormat = ChatCompletionContentPartInputAudio['input_audio']['format'];
export type ReasoningEffort = NonNullable<ChatCompletionCreateParamsBase['reasoning_effort']>;
export type Verbosity = NonNullable<ChatCompletionCreateParamsBase['verbosity']>;
export type AudioFormat = ChatCompletionAudioParam['format'];
export type BuiltInVoice = Extract<ChatCompletionAudioParam['voice'], string>;
export type PromptCacheRetention = NonNullable<ChatCompletionCreateParamsBase['prompt_cache_retention']>;
export type SearchContextSize = NonNullable<WebSearchOptions['search_context_size']>;
export type WebSearchUserLocation = NonNullable<WebSearchOptions['user_location']>;
export type NamedToolChoice = NamedFunctionToolChoice | NamedCustomToolChoice;
export type ResponseFormatJsonSchema = Extract<ResponseFormat, { type: 'json_schema' }>;
export type ChatCompletionFunctionToolCall = Extract<ChatCompletionToolCall, { type: 'function' }>;
export type ChatCompletionCustomToolCall = Extract<ChatCompletionToolCall, { type: 'custom' }>;

// Responses
export type ResponseReasoningEffort = NonNullable<NonNullable<ResponseCreateParamsBase['reasoning']>['effort']>;
export type ResponseServiceTier = NonNullable<ResponseCreateParamsBase['service_tier']>;
export type ResponseOutputContent = ResponseOutputMessage['content'][number];
export type ResponseAllowedTools = Extract<ResponseToolChoice, { type: 'allowed_tools' }>;
/** One of the tools of `allowed_tools`. */
export type ResponseNamedChoice = ResponseAllowedTools['tools'][number];

// Moderation
export type ModerationModel = NonNullable<ModerationCreateParams['model']>;
export type ModerationMultiModalInput = ModerationTextInput | ModerationImageInput;
export type ModerationResult = Moderation['results'][number];
export type ModerationCategory = keyof ModerationResult['categories'];
/** One value for each category. The older text-only response leaves out those that are optional. */
export type ModerationByCategory<T> = {
  [Category in keyof ModerationResult['categories']]: T;
};
export type ModerationInputType = 'text' | 'image';

// Batches, uploads, files and videos
export type BatchStatus = Known<Batch['status']>;
export type BatchWaitingReason = Known<BatchWaitingFor['reason']>;
export type UploadStatus = Known<Upload['status']>;
export type FileStatus = Known<FileObject['status']>;
export type VideoStatus = Known<Video['status']>;
export type VideoSeconds = NonNullable<VideoCreateFields['seconds']>;
export type VideoSize = NonNullable<VideoCreateFields['size']>;
export type VideoVariant = NonNullable<VideoContentParams['variant']>;

// Administration
export type ProjectApiKeyRole = Known<ProjectApiKey['role']>;
export type BudgetUnit = Known<Budget['unit']>;
export type BudgetPeriod = Known<Budget['period']>;
export type AuditLogType = Known<AuditLog['type']>;
export type UsageBucket = UsagePage['data'][number];

/** The query of every list that is read by pages. */
export type ListParams = Pick<ChatCompletionListParams, 'after' | 'limit'>;

/** Why a request failed. */
export type ErrorObject = ErrorBody['error'];

/** A problem that a schema or a rule found in a request: the `error` of a 400. */
export interface Problem extends ErrorObject {
  readonly type: 'invalid_request_error';
  readonly code: string;
}
