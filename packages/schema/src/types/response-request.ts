import type { PromptCacheRetention, ReasoningEffort, Verbosity } from './chat-request.ts';
import type { Metadata } from './metadata.ts';
import type { Open } from './open.ts';
import type { ResponseInputItem } from './response-items.ts';
import type { ResponseTextFormat, ResponseTool, ResponseToolChoice } from './response-tools.ts';

export type ResponseReasoningEffort = ReasoningEffort | 'max';
export type ResponseReasoningSummary = 'auto' | 'concise' | 'detailed';
export type ResponseTruncation = 'auto' | 'disabled';
export type ResponseServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast';
export type ResponseInclude =
  'message.output_text.logprobs' | 'reasoning.encrypted_content' | 'web_search_call.action.sources';

export interface ResponseReasoningOptions {
  readonly effort?: ResponseReasoningEffort;
  /** Gives reasoning as a summary instead of as text. */
  readonly summary?: ResponseReasoningSummary;
  /** Deprecated: `summary` replaces it. */
  readonly generate_summary?: ResponseReasoningSummary;
  readonly context?: 'auto' | 'current_turn' | 'all_turns';
  readonly mode?: string;
}

export interface ResponseTextOptions {
  readonly format?: ResponseTextFormat;
  readonly verbosity?: Verbosity;
}

/** Body of Create response, whatever `stream` is. */
export interface ResponseCreateParamsBase {
  readonly model: string;
  readonly input?: string | readonly ResponseInputItem[];
  /** A system message in front of the input. Not inherited from `previous_response_id`. */
  readonly instructions?: string;
  readonly previous_response_id?: string;
  /** Not together with `previous_response_id`. */
  readonly conversation?: string | { readonly id: string };
  /** Default true, where the server stores responses. */
  readonly store?: boolean;
  readonly background?: boolean;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_obfuscation?: boolean };
  /** Unknown values have no effect. */
  readonly include?: readonly Open<ResponseInclude>[];
  /** At least 16; reasoning counts. */
  readonly max_output_tokens?: number;
  /** Bounds the calls of tools that the server runs. */
  readonly max_tool_calls?: number;
  readonly metadata?: Readonly<Metadata>;
  readonly parallel_tool_calls?: boolean;
  /** 0 to 2; 1 unless given. */
  readonly temperature?: number;
  /** 0 to 1; 1 unless given. */
  readonly top_p?: number;
  /** 0 to 20. */
  readonly top_logprobs?: number;
  /** -2 to 2; 0 unless given. */
  readonly presence_penalty?: number;
  /** -2 to 2; 0 unless given. */
  readonly frequency_penalty?: number;
  readonly reasoning?: ResponseReasoningOptions;
  readonly text?: ResponseTextOptions;
  readonly tools?: readonly ResponseTool[];
  readonly tool_choice?: ResponseToolChoice;
  /** `auto` drops the oldest turns where the input exceeds the context of the model. Default `disabled`: that fails. */
  readonly truncation?: ResponseTruncation;
  readonly service_tier?: ResponseServiceTier;
  readonly prompt_cache_key?: string;
  readonly prompt_cache_retention?: PromptCacheRetention;
  readonly prompt_cache_options?: { readonly mode?: 'implicit' | 'explicit'; readonly ttl?: string };
  readonly safety_identifier?: string;
  /** Deprecated: `safety_identifier` and `prompt_cache_key` replace it. */
  readonly user?: string;
}

export interface ResponseCreateParamsNonStreaming extends ResponseCreateParamsBase {
  readonly stream?: false;
}

export interface ResponseCreateParamsStreaming extends ResponseCreateParamsBase {
  readonly stream: true;
}

/** Body of Create response. */
export type ResponseCreateParams = ResponseCreateParamsNonStreaming | ResponseCreateParamsStreaming;
