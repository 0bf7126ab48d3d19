import type { ImageDetail } from './chat-messages.ts';

/** Accepted on every input part; has no effect. */
export interface ResponseCacheBreakpoint {
  readonly mode: 'explicit';
}

export interface ResponseInputText {
  readonly type: 'input_text';
  readonly text: string;
  readonly prompt_cache_breakpoint?: ResponseCacheBreakpoint;
}

export interface ResponseInputImage {
  readonly type: 'input_image';
  /** An http(s) URL, or a data URL with the image in base64. Exactly one of `image_url` and `file_id`. */
  readonly image_url?: string;
  /** Id of an uploaded image. */
  readonly file_id?: string;
  readonly detail?: ImageDetail;
  readonly prompt_cache_breakpoint?: ResponseCacheBreakpoint;
}

export interface ResponseInputFile {
  readonly type: 'input_file';
  /** The file in base64, bare or as a data URL. Exactly one of `file_data`, `file_id` and `file_url`. */
  readonly file_data?: string;
  /** Id of an uploaded file. */
  readonly file_id?: string;
  /** Refused: this server downloads no files. */
  readonly file_url?: string;
  readonly filename?: string;
  readonly detail?: ImageDetail;
  readonly prompt_cache_breakpoint?: ResponseCacheBreakpoint;
}

export type ResponseInputContent = ResponseInputText | ResponseInputImage | ResponseInputFile;

/** A source of a text; positions count characters, the end not included. */
export interface ResponseUrlCitation {
  readonly type: 'url_citation';
  readonly start_index: number;
  readonly end_index: number;
  readonly url: string;
  readonly title: string;
}

export interface ResponseTopLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes?: readonly number[] | null;
}

export interface ResponseLogprob extends ResponseTopLogprob {
  readonly top_logprobs: readonly ResponseTopLogprob[];
}

export interface ResponseOutputText {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly ResponseUrlCitation[];
  /** Only with `include: ["message.output_text.logprobs"]`. */
  readonly logprobs?: readonly ResponseLogprob[];
}

export interface ResponseRefusal {
  readonly type: 'refusal';
  readonly refusal: string;
}

export type ResponseOutputContent = ResponseOutputText | ResponseRefusal;

export interface ResponseReasoningText {
  readonly type: 'reasoning_text';
  readonly text: string;
}

export interface ResponseSummaryText {
  readonly type: 'summary_text';
  readonly text: string;
}
