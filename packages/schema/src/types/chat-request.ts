import type { ChatCompletionContentPartText, ChatCompletionMessageParam } from './chat-messages.ts';
import type {
  ChatCompletionTool,
  FunctionCallChoice,
  FunctionDefinition,
  ResponseFormat,
  ToolChoice,
} from './chat-tools.ts';
import type { Metadata } from './metadata.ts';
import type { ServiceTier } from './service-tier.ts';

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
export type Verbosity = 'low' | 'medium' | 'high';
export type Modality = 'text' | 'audio';
export type AudioFormat = 'wav' | 'mp3' | 'flac' | 'opus' | 'pcm16';
export type BuiltInVoice =
  'alloy' | 'ash' | 'ballad' | 'coral' | 'echo' | 'fable' | 'nova' | 'onyx' | 'sage' | 'shimmer' | 'verse';
/** `in_memory` is what the official SDKs offer beside the interface's `24h`. */
export type PromptCacheRetention = '24h' | 'in_memory';
export type SearchContextSize = 'low' | 'medium' | 'high';

export interface ChatCompletionAudioParam {
  /** A built-in voice, or one of your own. */
  readonly voice: BuiltInVoice | { readonly id: string };
  readonly format: AudioFormat;
}

/** Text that the answer is likely to hold. */
export interface ChatCompletionPrediction {
  readonly type: 'content';
  readonly content: string | readonly ChatCompletionContentPartText[];
}

export interface ChatCompletionStreamOptions {
  /** Random characters in each delta event even out payload sizes; true unless said. */
  readonly include_obfuscation?: boolean;
  /** A last chunk with `usage` and no choices; the others carry `usage: null`. */
  readonly include_usage?: boolean;
}

export interface WebSearchUserLocation {
  /** The official SDKs send it; there is no other kind. */
  readonly type?: 'approximate';
  readonly approximate: {
    readonly city?: string;
    /** Two letters, ISO 3166. */
    readonly country?: string;
    readonly region?: string;
    /** An IANA name. */
    readonly timezone?: string;
  };
}

export interface WebSearchOptions {
  /** `medium` unless said. */
  readonly search_context_size?: SearchContextSize;
  readonly user_location?: WebSearchUserLocation | null;
}

/** Body of Create chat completion, whatever `stream` is. */
export interface ChatCompletionCreateParamsBase {
  readonly messages: readonly ChatCompletionMessageParam[];
  readonly model: string;
  readonly store?: boolean | null;
  readonly reasoning_effort?: ReasoningEffort | null;
  readonly metadata?: Readonly<Metadata> | null;
  /** -2 to 2; 0 unless said. */
  readonly frequency_penalty?: number | null;
  /** -2 to 2; 0 unless said. */
  readonly presence_penalty?: number | null;
  /** Token id -> bias, -100 to 100. */
  readonly logit_bias?: Readonly<Record<string, number>> | null;
  readonly logprobs?: boolean | null;
  /** 0 to 20; needs `logprobs`. */
  readonly top_logprobs?: number | null;
  /** Deprecated: `max_completion_tokens` took its place. */
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  /** Number of choices; 1 unless said. */
  readonly n?: number | null;
  /** `['text']` unless said. */
  readonly modalities?: readonly Modality[] | null;
  readonly prediction?: ChatCompletionPrediction | null;
  /** Required when `modalities` has `audio`. */
  readonly audio?: ChatCompletionAudioParam | null;
  readonly response_format?: ResponseFormat;
  /** Deprecated, best effort. Any 64-bit integer: a bigint beyond what a number holds exactly. */
  readonly seed?: number | bigint | null;
  readonly service_tier?: ServiceTier | null;
  /** Up to 4 sequences. */
  readonly stop?: string | readonly string[] | null;
  readonly stream?: boolean | null;
  /** Only with `stream: true`. */
  readonly stream_options?: ChatCompletionStreamOptions | null;
  /** 0 to 2; 1 unless said. */
  readonly temperature?: number | null;
  /** 0 to 1; 1 unless said. */
  readonly top_p?: number | null;
  readonly tools?: readonly ChatCompletionTool[];
  readonly tool_choice?: ToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly safety_identifier?: string | null;
  readonly prompt_cache_key?: string | null;
  readonly prompt_cache_retention?: PromptCacheRetention | null;
  /** Deprecated: `safety_identifier` and `prompt_cache_key` took its place. */
  readonly user?: string;
  readonly verbosity?: Verbosity | null;
  readonly web_search_options?: WebSearchOptions;
  /** Deprecated: `tool_choice` took its place. */
  readonly function_call?: FunctionCallChoice;
  /** Deprecated: `tools` took its place. */
  readonly functions?: readonly FunctionDefinition[];
}

export interface ChatCompletionCreateParamsNonStreaming extends ChatCompletionCreateParamsBase {
  readonly stream?: false | null;
}

export interface ChatCompletionCreateParamsStreaming extends ChatCompletionCreateParamsBase {
  readonly stream: true;
}

/** Body of Create chat completion. */
export type ChatCompletionCreateParams = ChatCompletionCreateParamsNonStreaming | ChatCompletionCreateParamsStreaming;
