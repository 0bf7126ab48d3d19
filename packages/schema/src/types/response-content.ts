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
