import type { Verbosity } from './chat-request.ts';
import type { Metadata } from './metadata.ts';
import type { Open } from './open.ts';
import type { ResponseTextFormat, ResponseToolChoice } from './requests.ts';
import type { ResponseOutputItem } from './response-items.ts';
import type { ResponseShownTool } from './response-tools.ts';

export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

export interface ResponseUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

export interface ResponseError {
  readonly code: string;
  readonly message: string;
}

/** The response of a model (OpenAI names it `Response`). */
export interface ResponseObject {
  readonly id: string;
  readonly object: 'response';
  /** Unix seconds. */
  readonly created_at: number;
  readonly status: Open<ResponseStatus>;
  /** Unix seconds; null unless it is completed. */
  readonly completed_at: number | null;
  readonly error: ResponseError | null;
  readonly incomplete_details: { readonly reason: Open<'max_output_tokens' | 'content_filter'> } | null;
  readonly output: readonly ResponseOutputItem[];
  /** Null until the response has ended. */
  readonly usage: ResponseUsage | null;
  readonly instructions: string | null;
  readonly model: string;
  readonly tools: readonly ResponseShownTool[];
  readonly tool_choice: ResponseToolChoice;
  readonly parallel_tool_calls: boolean;
  readonly temperature: number;
  readonly top_p: number;
  readonly top_logprobs: number;
  readonly presence_penalty: number;
  readonly frequency_penalty: number;
  readonly max_output_tokens: number | null;
  readonly max_tool_calls: number | null;
  readonly metadata: Metadata;
  readonly previous_response_id: string | null;
  readonly conversation: { readonly id: string } | null;
  readonly reasoning: { readonly effort: string | null; readonly summary: string | null };
  readonly text: { readonly format: ResponseTextFormat; readonly verbosity?: Open<Verbosity> };
  readonly truncation: Open<'auto' | 'disabled'>;
  /** The tier that served the request. */
  readonly service_tier: string;
  readonly store: boolean;
  readonly background: boolean;
  readonly prompt_cache_key: string | null;
  readonly prompt_cache_retention: string | null;
  readonly safety_identifier: string | null;
  readonly user: string | null;
}
