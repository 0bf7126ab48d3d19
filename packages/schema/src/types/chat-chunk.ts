import type { UrlCitationAnnotation } from './annotation.ts';
import type { ChoiceLogprobs, CompletionUsage, FinishReason } from './chat-completion.ts';
import type { ChatCompletionRole } from './chat-messages.ts';
import type { ServiceTier } from './chat-request.ts';
import type { Open } from './open.ts';

/** A delta of a tool call: the first one has `id`, `type` and the name, the others have more of `arguments` or `input`. */
export interface ChatCompletionDeltaToolCall {
  index: number;
  id?: string;
  type?: Open<'function' | 'custom'>;
  function?: { name?: string; arguments?: string };
  custom?: { name?: string; input?: string };
}

export interface ChatCompletionDelta {
  role?: Open<ChatCompletionRole>;
  content?: string | null;
  refusal?: string | null;
  audio?: { id?: string; expires_at?: number; data?: string; transcript?: string } | null;
  tool_calls?: ChatCompletionDeltaToolCall[];
  /** After the text with the citation. */
  annotations?: UrlCitationAnnotation[];
  /** Deprecated. */
  function_call?: { name?: string; arguments?: string } | null;
}

export interface ChatCompletionChunkChoice {
  index: number;
  delta: ChatCompletionDelta;
  finish_reason: Open<FinishReason> | null;
  logprobs?: ChoiceLogprobs | null;
}

/** One event of a streamed completion. */
export interface ChatCompletionChunk {
  id: string;
  object: 'chat.completion.chunk';
  /** Unix seconds, the same in every chunk. */
  created: number;
  model: string;
  /** Empty in the usage chunk. */
  choices: ChatCompletionChunkChoice[];
  service_tier?: Open<ServiceTier> | null;
  /** Deprecated. */
  system_fingerprint?: string | null;
  /** Null but in the last chunk; absent unless `stream_options.include_usage`. */
  usage?: CompletionUsage | null;
  /** Random characters that normalise payload sizes. */
  obfuscation?: string;
}
