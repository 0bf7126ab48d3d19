// What clients send where it differs from what the schemas describe: streams, and files in forms.
import type {
  ChatCompletionCreateParamsBase,
  ResponseCreateParamsBase,
  TextCompletionCreateParamsBase,
  VideoCreateFields,
  VideoInputReference,
} from './requests.ts';

export interface ChatCompletionCreateParamsNonStreaming extends ChatCompletionCreateParamsBase {
  readonly stream?: false | null;
}

export interface ChatCompletionCreateParamsStreaming extends ChatCompletionCreateParamsBase {
  readonly stream: true;
}

/** Body of Create chat completion. */
export type ChatCompletionCreateParams = ChatCompletionCreateParamsNonStreaming | ChatCompletionCreateParamsStreaming;

export interface ResponseCreateParamsNonStreaming extends ResponseCreateParamsBase {
  readonly stream?: false;
}

export interface ResponseCreateParamsStreaming extends ResponseCreateParamsBase {
  readonly stream: true;
}

/** Body of Create response. */
export type ResponseCreateParams = ResponseCreateParamsNonStreaming | ResponseCreateParamsStreaming;

export interface TextCompletionCreateParamsNonStreaming extends TextCompletionCreateParamsBase {
  readonly stream?: false;
}

export interface TextCompletionCreateParamsStreaming extends TextCompletionCreateParamsBase {
  readonly stream: true;
}

export type TextCompletionCreateParams = TextCompletionCreateParamsNonStreaming | TextCompletionCreateParamsStreaming;

/** The form of Add upload part. */
export interface UploadPartCreateParams {
  /** At most 64 MB. */
  readonly data: Blob;
}

/** What a client sends for Create video. */
export interface VideoCreateParams extends Omit<VideoCreateFields, 'input_reference'> {
  readonly input_reference?: Blob | VideoInputReference;
}
