import type { UrlCitationAnnotation } from './annotation.ts';
import type { ChatCompletionToolCall, FunctionCall } from './chat-tools.ts';

export interface ChatCompletionContentPartText {
  readonly type: 'text';
  readonly text: string;
}

export type ImageDetail = 'auto' | 'low' | 'high' | 'original';

export interface ChatCompletionContentPartImage {
  readonly type: 'image_url';
  readonly image_url: {
    /** An http(s) URL, or a data URL with the image in base64. */
    readonly url: string;
    readonly detail?: ImageDetail;
  };
}

export type InputAudioFormat = 'wav' | 'mp3';

export interface ChatCompletionContentPartInputAudio {
  readonly type: 'input_audio';
  /** `data` is base64. */
  readonly input_audio: { readonly data: string; readonly format: InputAudioFormat };
}

export interface ChatCompletionContentPartFile {
  readonly type: 'file';
  /** Exactly one of `file_id` and `file_data` (base64, or a data URL with it). */
  readonly file: { readonly file_data?: string; readonly file_id?: string; readonly filename?: string };
}

export interface ChatCompletionContentPartRefusal {
  readonly type: 'refusal';
  readonly refusal: string;
}

/** What a user message may hold. */
export type ChatCompletionContentPart =
  | ChatCompletionContentPartText
  | ChatCompletionContentPartImage
  | ChatCompletionContentPartInputAudio
  | ChatCompletionContentPartFile;

export interface ChatCompletionDeveloperMessageParam {
  readonly role: 'developer';
  readonly content: string | readonly ChatCompletionContentPartText[];
  readonly name?: string;
}

export interface ChatCompletionSystemMessageParam {
  readonly role: 'system';
  readonly content: string | readonly ChatCompletionContentPartText[];
  readonly name?: string;
}

export interface ChatCompletionUserMessageParam {
  readonly role: 'user';
  readonly content: string | readonly ChatCompletionContentPart[];
  readonly name?: string;
}

/** Text parts, or exactly one refusal part. */
export type ChatCompletionAssistantContentPart = ChatCompletionContentPartText | ChatCompletionContentPartRefusal;

export interface ChatCompletionAssistantMessageParam {
  readonly role: 'assistant';
  /** Required unless there are `tool_calls` or a `function_call`. */
  readonly content?: string | readonly ChatCompletionAssistantContentPart[] | null;
  readonly refusal?: string | null;
  readonly name?: string;
  /** An earlier audio answer. */
  readonly audio?: { readonly id: string } | null;
  readonly tool_calls?: readonly ChatCompletionToolCall[];
  /** Deprecated. */
  readonly function_call?: FunctionCall | null;
  /** Of no effect: generated messages carry it, and they may be sent back as they are. */
  readonly annotations?: readonly UrlCitationAnnotation[];
  /** Not in the interface: what the model's provider wants back with the next request, such as signatures of reasoning. */
  readonly provider_metadata?: Readonly<Record<string, unknown>>;
}

export interface ChatCompletionToolMessageParam {
  readonly role: 'tool';
  readonly content: string | readonly ChatCompletionContentPartText[];
  readonly tool_call_id: string;
  /** Not in the interface: agents of LangChain name the tool again. The call says which it is. */
  readonly name?: string;
}

/** Deprecated: `tool` took its place. */
export interface ChatCompletionFunctionMessageParam {
  readonly role: 'function';
  readonly content: string | null;
  readonly name: string;
}

export type ChatCompletionMessageParam =
  | ChatCompletionDeveloperMessageParam
  | ChatCompletionSystemMessageParam
  | ChatCompletionUserMessageParam
  | ChatCompletionAssistantMessageParam
  | ChatCompletionToolMessageParam
  | ChatCompletionFunctionMessageParam;

export type ChatCompletionRole = ChatCompletionMessageParam['role'];
