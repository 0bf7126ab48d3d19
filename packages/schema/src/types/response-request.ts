import type { ResponseCreateParamsBase } from './requests.ts';

export type ResponseReasoningOptions = NonNullable<ResponseCreateParamsBase['reasoning']>;

export type ResponseReasoningEffort = NonNullable<ResponseReasoningOptions['effort']>;

export type ResponseReasoningSummary = NonNullable<ResponseReasoningOptions['summary']>;

export type ResponseTextOptions = NonNullable<ResponseCreateParamsBase['text']>;

export type ResponseTruncation = NonNullable<ResponseCreateParamsBase['truncation']>;

export type ResponseServiceTier = NonNullable<ResponseCreateParamsBase['service_tier']>;

export interface ResponseCreateParamsNonStreaming extends ResponseCreateParamsBase {
  readonly stream?: false;
}

export interface ResponseCreateParamsStreaming extends ResponseCreateParamsBase {
  readonly stream: true;
}

/** Body of Create response. */
export type ResponseCreateParams = ResponseCreateParamsNonStreaming | ResponseCreateParamsStreaming;
