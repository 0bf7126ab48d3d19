import type { UrlCitationAnnotation } from './annotation.ts';
import type { ServiceTier } from './chat-request.ts';
import type { ChatCompletionToolCall, FunctionCall } from './chat-tool-calls.ts';
import type { Metadata } from './metadata.ts';
import type { Open } from './open.ts';

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'function_call';

export interface TopLogprob {
  token: string;
  /** -9999.0 marks a token outside the 20 most likely. */
  logprob: number;
  /** UTF-8 bytes of the token. */
  bytes: number[] | null;
}

export interface TokenLogprob extends TopLogprob {
  /** May hold fewer than were asked for. */
  top_logprobs: TopLogprob[];
}

export interface ChoiceLogprobs {
  content: TokenLogprob[] | null;
  refusal: TokenLogprob[] | null;
}

export interface ChatCompletionAudio {
  id: string;
  /** Unix seconds; afterwards the audio cannot be named in a conversation. */
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
  prompt_tokens_details?: { audio_tokens?: number; cached_tokens?: number };
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
