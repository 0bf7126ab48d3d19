import type { ChatCompletionStreamOptions } from './chat-request.ts';
import type { CompletionUsage } from './chat-completion.ts';
import type { TextOrTokens } from './text-or-tokens.ts';
import type { Open } from './open.ts';

/** Body of Create completion, the legacy endpoint that continues a text. */
export interface TextCompletionCreateParamsBase {
  readonly model: string;
  /** A list of texts gives `n` choices for each of them. */
  readonly prompt: TextOrTokens;
  /** Must equal `n`: candidates that are not returned are not supported. */
  readonly best_of?: number;
  /** Whether choices begin with the prompt. Default false. */
  readonly echo?: boolean;
  readonly frequency_penalty?: number;
  readonly logit_bias?: Readonly<Record<string, number>>;
  /** Number of the most likely tokens whose log probabilities are returned, up to 5. */
  readonly logprobs?: number;
  /** Default 16. */
  readonly max_tokens?: number;
  readonly n?: number;
  readonly presence_penalty?: number;
  readonly seed?: number | bigint;
  readonly stop?: string | readonly string[];
  readonly stream?: boolean;
  readonly stream_options?: ChatCompletionStreamOptions;
  /** Text that follows the completion, for models that fill in. */
  readonly suffix?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly user?: string;
}

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
