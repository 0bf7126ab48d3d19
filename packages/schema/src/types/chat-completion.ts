import type { UrlCitationAnnotation } from './annotation.ts';
import type { ServiceTier } from './chat-request.ts';
import type { ChatCompletionToolCall, FunctionCall } from './chat-tool-calls.ts';
import type { Metadata } from './metadata.ts';
import type { Open } from './open.ts';

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'function_call';

export interface TopLogprob {
  token: string;
  /** -9999.0 for a token that is not one of the 20 most likely. */
  logprob: number;
  /** UTF-8 bytes of the token. */
  bytes: number[] | null;
}

export interface TokenLogprob extends TopLogprob {
  /** Can have fewer entries than requested. */
  top_logprobs: TopLogprob[];
}

export interface ChoiceLogprobs {
  content: TokenLogprob[] | null;
  refusal: TokenLogprob[] | null;
}

export interface ChatCompletionAudio {
  id: string;
  /** Unix seconds; afterwards messages cannot reference the audio. */
  expires_at: number;
  /** Base64 in the requested format. */
  data: string;
  transcript: string;
}

/** A generated message. */
export interface ChatCompletionMessage {
  role: 'assistant';
  content: string | null;
  refusal: string | null;
  annotations?: UrlCitationAnnotation[];
  audio?: ChatCompletionAudio | null;
  tool_calls?: ChatCompletionToolCall[];
  /** Deprecated. */
  function_call?: FunctionCall | null;
}

export interface ChatCompletionChoice {
  index: number;
  finish_reason: Open<FinishReason>;
  message: ChatCompletionMessage;
  logprobs: ChoiceLogprobs | null;
}

export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  completion_tokens_details?: {
    accepted_prediction_tokens?: number;
    audio_tokens?: number;
    reasoning_tokens?: number;
    rejected_prediction_tokens?: number;
  };
  prompt_tokens_details?: { audio_tokens?: number; cached_tokens?: number; cache_write_tokens?: number };
}

export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  /** Unix seconds. */
  created: number;
  model: string;
  choices: ChatCompletionChoice[];
  /** The tier that served the request. */
  service_tier?: Open<ServiceTier> | null;
  /** Deprecated. */
  system_fingerprint?: string | null;
  usage?: CompletionUsage;
  metadata?: Metadata | null;
}
