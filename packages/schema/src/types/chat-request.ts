import type { ChatCompletionAudioParam, ChatCompletionCreateParamsBase, WebSearchOptions } from './requests.ts';

export type ReasoningEffort = NonNullable<ChatCompletionCreateParamsBase['reasoning_effort']>;

export type Verbosity = NonNullable<ChatCompletionCreateParamsBase['verbosity']>;

export type Modality = NonNullable<ChatCompletionCreateParamsBase['modalities']>[number];

export type AudioFormat = ChatCompletionAudioParam['format'];

export type BuiltInVoice = Extract<ChatCompletionAudioParam['voice'], string>;

/** `in_memory` is not in the API, but in the official SDKs. */
export type PromptCacheRetention = NonNullable<ChatCompletionCreateParamsBase['prompt_cache_retention']>;

/** Processing tier of a request; `auto` leaves the choice to the server. */
export type ServiceTier = NonNullable<ChatCompletionCreateParamsBase['service_tier']>;

export type SearchContextSize = NonNullable<WebSearchOptions['search_context_size']>;

export type WebSearchUserLocation = NonNullable<WebSearchOptions['user_location']>;

export interface ChatCompletionCreateParamsNonStreaming extends ChatCompletionCreateParamsBase {
  readonly stream?: false | null;
}

export interface ChatCompletionCreateParamsStreaming extends ChatCompletionCreateParamsBase {
  readonly stream: true;
}

/** Body of Create chat completion. */
export type ChatCompletionCreateParams = ChatCompletionCreateParamsNonStreaming | ChatCompletionCreateParamsStreaming;
