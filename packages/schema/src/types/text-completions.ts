import type { CompletionUsage } from './chat-completion.ts';
import type { Open } from './open.ts';
import type { TextCompletionCreateParamsBase } from './requests.ts';

export interface TextCompletionCreateParamsNonStreaming extends TextCompletionCreateParamsBase {
  readonly stream?: false;
}

export interface TextCompletionCreateParamsStreaming extends TextCompletionCreateParamsBase {
  readonly stream: true;
}

export type TextCompletionCreateParams = TextCompletionCreateParamsNonStreaming | TextCompletionCreateParamsStreaming;

export interface TextCompletionLogprobs {
  tokens: string[];
  token_logprobs: (number | null)[];
  top_logprobs: (Record<string, number> | null)[];
  text_offset: number[];
}

export interface TextCompletionChoice {
  text: string;
  index: number;
  logprobs: TextCompletionLogprobs | null;
  /** Null in the chunks of a stream before the last of the choice. */
  finish_reason: Open<'stop' | 'length' | 'content_filter'> | null;
}

/** A completion, and each chunk of a stream. */
export interface TextCompletion {
  id: string;
  object: 'text_completion';
  /** Unix seconds. */
  created: number;
  model: string;
  system_fingerprint?: string;
  choices: TextCompletionChoice[];
  usage?: CompletionUsage | null;
}
