// Generated from the schemas by `npm run docs`. Do not edit.
import type {
  ChatCompletionContentPartImage,
  ChatCompletionContentPartText,
  ChatCompletionTool,
  ChatCompletionToolCall,
  DatasetFilter,
  DatasetSplit,
  FunctionCall,
  Metadata,
  ResponseAdditionalTools,
  ResponseAssistantMessage,
  ResponseCompactionParam,
  ResponseCustomTool,
  ResponseCustomToolCallOutput,
  ResponseCustomToolCallParam,
  ResponseFormat,
  ResponseFunctionCallOutput,
  ResponseFunctionCallParam,
  ResponseHostedItem,
  ResponseInputMessage,
  ResponseNamespaceTool,
  ResponseReasoningParam,
  ResponseReasoningText,
  ResponseSummaryText,
  ResponseTextFormat,
  ResponseToolChoice,
  ResponseWebSearchCallParam,
  ResponseWebSearchTool,
  ToolChoice,
  UrlCitationAnnotation,
} from './requests.ts';
import type { List } from './paging.ts';
import type { Open } from './open.ts';
import type { ReportPage } from './report.ts';

/** The replies to a conversation. */
export interface ChatCompletion {
  /** ID of the completion. */
  readonly id: string;
  readonly object: 'chat.completion';
  /** When the completion was created. In Unix seconds. */
  readonly created: number;
  /** Model that generated the reply. */
  readonly model: string;
  /** The replies: one, or as many as `n` asks for. */
  readonly choices: readonly ChatCompletionChoice[];
  readonly service_tier?: Open<ServiceTier> | null;
  /** Deprecated. Configuration of the backend, to notice changes of it between requests with one `seed`. */
  readonly system_fingerprint?: string | null;
  readonly usage?: CompletionUsage;
  readonly moderation?: ChatCompletionModeration | null;
  readonly metadata?: Metadata | null;
}

/** One of the replies. */
export interface ChatCompletionChoice {
  /** Position in `choices`. */
  readonly index: number;
  /** Why the reply ended: naturally or at a stop sequence, at a token limit, by a content filter, or with calls. */
  readonly finish_reason: Open<FinishReason>;
  /** A message that the model generated. */
  readonly message: ChatCompletionMessage;
  readonly logprobs: ChoiceLogprobs | null;
}

/** Why the reply ended: naturally or at a stop sequence, at a token limit, by a content filter, or with calls. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'function_call';

/** A message that the model generated. */
export interface ChatCompletionMessage {
  readonly role: 'assistant';
  /** Text of the message. Null if there is none. */
  readonly content: string | null;
  /** Text with which the model refused. Null if it did not. */
  readonly refusal: string | null;
  /** Sources of the text, after a web search. */
  readonly annotations?: readonly UrlCitationAnnotation[];
  readonly audio?: ChatCompletionAudio | null;
  /** Calls of tools that the model asks for. */
  readonly tool_calls?: readonly ChatCompletionToolCall[];
  /** Deprecated. A call of a function. Replaced by `tool_calls`. */
  readonly function_call?: FunctionCall | null;
}

/** A spoken reply. */
export interface ChatCompletionAudio {
  /** ID of the audio, for `audio.id` of an assistant message. */
  readonly id: string;
  /** When the audio can no longer be referenced. In Unix seconds. */
  readonly expires_at: number;
  /** The audio in the requested format, in base64. */
  readonly data: string;
  /** Text of what is spoken. */
  readonly transcript: string;
}

/** Log probabilities of the generated tokens. */
export interface ChoiceLogprobs {
  /** Tokens of the text. */
  readonly content: readonly TokenLogprob[] | null;
  /** Tokens of the refusal. */
  readonly refusal: readonly TokenLogprob[] | null;
}

/** A generated token with its probability. */
export interface TokenLogprob {
  /** Text of the token. */
  readonly token: string;
  /** Log probability of the token. -9999.0 marks a token outside the 20 most likely. */
  readonly logprob: number;
  /** UTF-8 bytes of the token. */
  readonly bytes: readonly number[] | null;
  /** The most likely tokens at this position. May have fewer entries than requested. */
  readonly top_logprobs: readonly TopLogprob[];
}

/** A token with its probability. */
export interface TopLogprob {
  /** Text of the token. */
  readonly token: string;
  /** Log probability of the token. -9999.0 marks a token outside the 20 most likely. */
  readonly logprob: number;
  /** UTF-8 bytes of the token. */
  readonly bytes: readonly number[] | null;
}

/** The tier that served the request. */
export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast';

/** Tokens that the request used. */
export interface CompletionUsage {
  /** Tokens of the request. */
  readonly prompt_tokens: number;
  /** Tokens of all replies. */
  readonly completion_tokens: number;
  /** Tokens of the request and the replies together. */
  readonly total_tokens: number;
  /** What the completion tokens consist of. */
  readonly completion_tokens_details?: {
    readonly accepted_prediction_tokens?: number;
    readonly audio_tokens?: number;
    readonly reasoning_tokens?: number;
    readonly rejected_prediction_tokens?: number;
    readonly text_tokens?: number;
  };
  /** What the prompt tokens consist of. */
  readonly prompt_tokens_details?: {
    readonly audio_tokens?: number;
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
    readonly image_tokens?: number;
    readonly text_tokens?: number;
  };
}

/** Results of the moderation that the request asked for. */
export interface ChatCompletionModeration {
  /** Of the messages. */
  readonly input: ChatCompletionModerationResults | ChatCompletionModerationError;
  /** Of the reply. */
  readonly output: ChatCompletionModerationResults | ChatCompletionModerationError;
}

/** The results of a moderation. */
export interface ChatCompletionModerationResults {
  readonly type: 'moderation_results';
  /** Model that classified the text. */
  readonly model: string;
  /** One entry for each message of the request with text or images, or for each choice with text. */
  readonly results: readonly {
    readonly type: 'moderation_result';
    /** Model that classified the text. */
    readonly model: string;
    /** Whether the input is potentially harmful. */
    readonly flagged: boolean;
    /** Whether the input falls into each category. */
    readonly categories: {
      /** Whether the input falls into `sexual`. */
      readonly sexual: boolean;
      /** Whether the input falls into `hate`. */
      readonly hate: boolean;
      /** Whether the input falls into `harassment`. */
      readonly harassment: boolean;
      /** Whether the input falls into `self-harm`. */
      readonly 'self-harm': boolean;
      /** Whether the input falls into `sexual/minors`. */
      readonly 'sexual/minors': boolean;
      /** Whether the input falls into `hate/threatening`. */
      readonly 'hate/threatening': boolean;
      /** Whether the input falls into `violence/graphic`. */
      readonly 'violence/graphic': boolean;
      /** Whether the input falls into `self-harm/intent`. */
      readonly 'self-harm/intent': boolean;
      /** Whether the input falls into `self-harm/instructions`. */
      readonly 'self-harm/instructions': boolean;
      /** Whether the input falls into `harassment/threatening`. */
      readonly 'harassment/threatening': boolean;
      /** Whether the input falls into `violence`. */
      readonly violence: boolean;
      readonly illicit?: boolean;
      readonly 'illicit/violent'?: boolean;
    };
    /** A score for each category. */
    readonly category_scores: {
      /** Score of `sexual`, from 0 to 1. */
      readonly sexual: number;
      /** Score of `hate`, from 0 to 1. */
      readonly hate: number;
      /** Score of `harassment`, from 0 to 1. */
      readonly harassment: number;
      /** Score of `self-harm`, from 0 to 1. */
      readonly 'self-harm': number;
      /** Score of `sexual/minors`, from 0 to 1. */
      readonly 'sexual/minors': number;
      /** Score of `hate/threatening`, from 0 to 1. */
      readonly 'hate/threatening': number;
      /** Score of `violence/graphic`, from 0 to 1. */
      readonly 'violence/graphic': number;
      /** Score of `self-harm/intent`, from 0 to 1. */
      readonly 'self-harm/intent': number;
      /** Score of `self-harm/instructions`, from 0 to 1. */
      readonly 'self-harm/instructions': number;
      /** Score of `harassment/threatening`, from 0 to 1. */
      readonly 'harassment/threatening': number;
      /** Score of `violence`, from 0 to 1. */
      readonly violence: number;
      readonly illicit?: number;
      readonly 'illicit/violent'?: number;
    };
    /** Input types that each category was applied to: none if the model does not judge the category. Absent for text-only models. */
    readonly category_applied_input_types?: {
      /** Input types that `sexual` was applied to. */
      readonly sexual: readonly Open<'text' | 'image'>[];
      /** Input types that `hate` was applied to. */
      readonly hate: readonly Open<'text' | 'image'>[];
      /** Input types that `harassment` was applied to. */
      readonly harassment: readonly Open<'text' | 'image'>[];
      /** Input types that `self-harm` was applied to. */
      readonly 'self-harm': readonly Open<'text' | 'image'>[];
      /** Input types that `sexual/minors` was applied to. */
      readonly 'sexual/minors': readonly Open<'text' | 'image'>[];
      /** Input types that `hate/threatening` was applied to. */
      readonly 'hate/threatening': readonly Open<'text' | 'image'>[];
      /** Input types that `violence/graphic` was applied to. */
      readonly 'violence/graphic': readonly Open<'text' | 'image'>[];
      /** Input types that `self-harm/intent` was applied to. */
      readonly 'self-harm/intent': readonly Open<'text' | 'image'>[];
      /** Input types that `self-harm/instructions` was applied to. */
      readonly 'self-harm/instructions': readonly Open<'text' | 'image'>[];
      /** Input types that `harassment/threatening` was applied to. */
      readonly 'harassment/threatening': readonly Open<'text' | 'image'>[];
      /** Input types that `violence` was applied to. */
      readonly violence: readonly Open<'text' | 'image'>[];
      readonly illicit?: readonly Open<'text' | 'image'>[];
      readonly 'illicit/violent'?: readonly Open<'text' | 'image'>[];
    };
    /** The score from which each category is flagged. Absent for models that do not decide by thresholds; without categories that were not scored. */
    readonly category_thresholds?: Readonly<Record<string, number>>;
  }[];
}

/** Why there are no results. */
export interface ChatCompletionModerationError {
  readonly type: 'error';
  /** Code of the error. */
  readonly code: string;
  /** What went wrong. */
  readonly message: string;
}

/** One event of a streamed reply. */
export interface ChatCompletionChunk extends Pick<
  ChatCompletion,
  'id' | 'model' | 'service_tier' | 'system_fingerprint'
> {
  readonly object: 'chat.completion.chunk';
  /** When the completion was created: the same in every chunk. In Unix seconds. */
  readonly created: number;
  /** The next parts of the replies. Empty in the chunks of moderation and usage. */
  readonly choices: readonly ChatCompletionChunkChoice[];
  /** Tokens of the whole request, in the last chunk; null in the others. Only with `include_usage`. */
  readonly usage?: CompletionUsage | null;
  /** Results of the moderation that the request asked for, in a chunk of their own without choices. */
  readonly moderation?: ChatCompletionModeration | null;
  /** Random characters that pad the event. See `include_obfuscation`. */
  readonly obfuscation?: string;
}

/** The next part of one reply. */
export interface ChatCompletionChunkChoice {
  /** Which of the replies the chunk belongs to. */
  readonly index: number;
  /** What a chunk adds to the message. */
  readonly delta: ChatCompletionDelta;
  /** Why the reply ended. Null before its last chunk. */
  readonly finish_reason: Open<FinishReason> | null;
  readonly logprobs?: ChoiceLogprobs | null;
}

/** What a chunk adds to the message. */
export interface ChatCompletionDelta {
  readonly role?: Open<ChatCompletionRole>;
  /** The next characters of the text. */
  readonly content?: string | null;
  /** The next characters of the refusal. */
  readonly refusal?: string | null;
  /** The next part of a spoken reply. */
  readonly audio?: {
    /** ID of the audio. */
    readonly id?: string;
    readonly expires_at?: number;
    /** The next bytes of the audio, in base64. */
    readonly data?: string;
    /** The next characters of the transcript. */
    readonly transcript?: string;
  } | null;
  /** The next parts of tool calls. */
  readonly tool_calls?: readonly ChatCompletionDeltaToolCall[];
  /** Sources of the text, after a web search. */
  readonly annotations?: readonly UrlCitationAnnotation[];
  /** Deprecated. The next part of a function call. Replaced by `tool_calls`. */
  readonly function_call?: {
    /** Name of the function. */
    readonly name?: string;
    /** The next characters of the arguments. */
    readonly arguments?: string;
  } | null;
}

/** Role of the author of the message. */
export type ChatCompletionRole = 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'function';

/** The next part of a tool call. */
export interface ChatCompletionDeltaToolCall {
  /** Position in `tool_calls` of the message. */
  readonly index: number;
  /** ID of the call, in its first chunk. */
  readonly id?: string;
  readonly type?: Open<'function' | 'custom'>;
  /** The call of a function. */
  readonly function?: {
    /** Name of the function. */
    readonly name?: string;
    /** The next characters of the arguments. */
    readonly arguments?: string;
  };
  /** The call of a custom tool. */
  readonly custom?: {
    /** Name of the tool. */
    readonly name?: string;
    /** The next characters of the input. */
    readonly input?: string;
  };
}

/** A page of stored completions. */
export type ChatCompletionList = List<StoredChatCompletion>;

/** A stored completion, with parameters of its request. */
export interface StoredChatCompletion extends ChatCompletion {
  readonly request_id?: string | null;
  /** The `tool_choice` of the request. */
  readonly tool_choice?: ToolChoice | null;
  /** The `seed` of the request. */
  readonly seed?: number | null;
  /** The `top_p` of the request. */
  readonly top_p?: number | null;
  /** The `temperature` of the request. */
  readonly temperature?: number | null;
  /** The `presence_penalty` of the request. */
  readonly presence_penalty?: number | null;
  /** The `frequency_penalty` of the request. */
  readonly frequency_penalty?: number | null;
  /** The `user` of the request. */
  readonly input_user?: string | null;
  /** The `tools` of the request. */
  readonly tools?: readonly ChatCompletionTool[] | null;
  /** The `response_format` of the request. */
  readonly response_format?: ResponseFormat | null;
  readonly api_key_id?: string | null;
  readonly project_id?: string;
  /** From the request to the end of the reply. In milliseconds. */
  readonly duration_ms?: number | null;
  /** From the request to the first token of the reply. In milliseconds. */
  readonly first_token_ms?: number | null;
  /** What the completion cost, at the price of that time. Null if the model has no price. */
  readonly cost?: {
    /** In units of the currency. */
    readonly value: number;
    /** Currency of the price table. */
    readonly currency: string;
  } | null;
  /** The first 200 characters of the last message of the user. Null if it has no text. */
  readonly prompt_excerpt?: string | null;
  /** Only in a list with `view=summary`: the first 200 characters of the first reply, of its refusal, or of its first tool call, such as `get_weather({"city":"Bern"})`. Null for an empty reply. */
  readonly excerpt?: string | null;
  /** Only in a list with `view=summary`: the `finish_reason` of the first choice. */
  readonly finish_reason?: string | null;
  /** Only with `include[]=request_parameters`: the `model` of the request, and its parameters that have no field of their own here, such as `max_completion_tokens`, `stop` and `reasoning_effort`. */
  readonly request_parameters?: Readonly<Record<string, unknown>> | null;
}

/** A completion that was deleted. */
export interface ChatCompletionDeleted {
  /** ID of the completion. */
  readonly id: string;
  readonly object: 'chat.completion.deleted';
  /** Whether it was deleted. */
  readonly deleted: boolean;
}

/** A page of the messages of a stored completion. */
export type ChatCompletionMessageList = List<ChatCompletionStoredMessage>;

/** A message of a stored completion. */
export interface ChatCompletionStoredMessage extends Pick<
  ChatCompletionMessage,
  'content' | 'annotations' | 'audio' | 'tool_calls' | 'function_call'
> {
  /** Role of the author of the message. */
  readonly role: Open<ChatCompletionRole>;
  /** Text with which the model refused. Null if it did not. */
  readonly refusal?: string | null;
  /** ID of the message. */
  readonly id: string;
  /** Name of the participant. */
  readonly name?: string | null;
  /** Of a tool message: the ID of the call that it is the result of. */
  readonly tool_call_id?: string;
  /** Content parts of a user message, if it was sent as parts. */
  readonly content_parts?: readonly (ChatCompletionContentPartText | ChatCompletionContentPartImage)[] | null;
}

/** The response of a model. */
export interface ResponseObject {
  /** ID of the response. */
  readonly id: string;
  readonly object: 'response';
  /** When the response was created. In Unix seconds. */
  readonly created_at: number;
  /** How far the response is, or how it ended. */
  readonly status: Open<'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'>;
  readonly completed_at: number | null;
  /** Why the response failed. Null unless it did. */
  readonly error: {
    /** Machine-readable code. */
    readonly code: string;
    /** Human-readable description of the problem. */
    readonly message: string;
  } | null;
  /** Null unless the status is `incomplete`. */
  readonly incomplete_details: {
    /** Why the response is incomplete. */
    readonly reason: Open<'max_output_tokens' | 'content_filter'>;
  } | null;
  /** What the model generated, in order. */
  readonly output: readonly ResponseOutputItem[];
  /** Null until the response has ended. */
  readonly usage: ResponseUsage | null;
  /** The instructions of the request. */
  readonly instructions: string | null;
  /** Model that generates the response. */
  readonly model: string;
  /** The tools that the model saw. */
  readonly tools: readonly ResponseShownTool[];
  /** Which tools the model calls. */
  readonly tool_choice: ResponseToolChoice;
  /** Whether the model may call several tools. */
  readonly parallel_tool_calls: boolean;
  /** Sampling temperature. */
  readonly temperature: number;
  /** Probability mass of the tokens to sample from. */
  readonly top_p: number;
  /** How many of the most likely tokens were asked for at each position. */
  readonly top_logprobs: number;
  /** Presence penalty. */
  readonly presence_penalty: number;
  /** Frequency penalty. */
  readonly frequency_penalty: number;
  /** Maximum number of output tokens. */
  readonly max_output_tokens: number | null;
  /** Maximum number of calls of tools that the server runs. */
  readonly max_tool_calls: number | null;
  /** Up to 16 key-value pairs of your own. Keys have at most 64 characters, values at most 512. */
  readonly metadata: Metadata;
  /** The response that this one continues. */
  readonly previous_response_id: string | null;
  /** The conversation that the response belongs to. */
  readonly conversation: {
    /** ID of the conversation. */
    readonly id: string;
  } | null;
  /** How the model reasons. */
  readonly reasoning: {
    /** How much the model reasons. */
    readonly effort: string | null;
    /** How the reasoning is summarised. */
    readonly summary: string | null;
  };
  /** Form of the reply. */
  readonly text: {
    /** Form of the reply. */
    readonly format: ResponseTextFormat;
    readonly verbosity?: Open<'low' | 'medium' | 'high'>;
  };
  /** What happens to input that exceeds the context of the model. */
  readonly truncation: Open<'auto' | 'disabled'>;
  /** The tier that served the request. */
  readonly service_tier: string;
  /** Whether the response is stored. */
  readonly store: boolean;
  /** Whether the response was generated in the background. */
  readonly background: boolean;
  /** Groups requests with similar prompts for caching. */
  readonly prompt_cache_key: string | null;
  /** How long a cached prompt is kept. */
  readonly prompt_cache_retention: string | null;
  /** How the prompt is cached, if the request says so. */
  readonly prompt_cache_options?: { readonly mode?: Open<'implicit' | 'explicit'>; readonly ttl?: Open<'30m'> };
  readonly moderation?: ResponseModeration | null;
  /** A stable identifier of your user. */
  readonly safety_identifier: string | null;
  /** An identifier of your user. */
  readonly user: string | null;
}

/** An item of the output; `type` selects its form. */
export type ResponseOutputItem =
  | ResponseOutputMessage
  | ResponseFunctionCall
  | ResponseCustomToolCall
  | ResponseReasoning
  | ResponseWebSearchCall
  | ResponseCompaction
  | ResponseHostedOutputItem;

/** A message that the model generated. */
export interface ResponseOutputMessage {
  readonly type: 'message';
  /** ID of the message. */
  readonly id: string;
  readonly role: 'assistant';
  /** Whether the item is complete. */
  readonly status: Open<'in_progress' | 'completed' | 'incomplete'>;
  /** The parts of the message. */
  readonly content: readonly (ResponseOutputText | ResponseRefusal)[];
}

/** Text of the model. */
export interface ResponseOutputText {
  readonly type: 'output_text';
  /** The text. */
  readonly text: string;
  /** Sources of the text, after a web search. */
  readonly annotations: readonly ResponseUrlCitation[];
  /** Log probabilities. Only with `include: ["message.output_text.logprobs"]`. */
  readonly logprobs?: readonly ResponseLogprob[];
}

/** A source of the text. */
export interface ResponseUrlCitation {
  readonly type: 'url_citation';
  /** First character of the text that the source supports. */
  readonly start_index: number;
  /** End of that text, not included. */
  readonly end_index: number;
  /** Address of the page. */
  readonly url: string;
  /** Title of the page. */
  readonly title: string;
}

/** A generated token with its probability. */
export interface ResponseLogprob {
  /** Text of the token. */
  readonly token: string;
  /** Log probability of the token. */
  readonly logprob: number;
  /** UTF-8 bytes of the token. */
  readonly bytes?: readonly number[] | null;
  /** The most likely tokens at this position. */
  readonly top_logprobs: readonly {
    /** Text of the token. */
    readonly token: string;
    /** Log probability of the token. */
    readonly logprob: number;
    /** UTF-8 bytes of the token. */
    readonly bytes?: readonly number[] | null;
  }[];
}

/** A refusal. */
export interface ResponseRefusal {
  readonly type: 'refusal';
  /** Text with which the model refused. */
  readonly refusal: string;
}

/** A call of a function that the model asks for. */
export interface ResponseFunctionCall {
  readonly type: 'function_call';
  /** ID of the item. */
  readonly id: string;
  /** Names the call in the item with its output. */
  readonly call_id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Namespace of the tool, where it has one. */
  readonly namespace?: string;
  /** The arguments in JSON, as the model wrote them: check them before use. */
  readonly arguments: string;
  /** Whether the item is complete. */
  readonly status: Open<'in_progress' | 'completed' | 'incomplete'>;
}

/** A call of a custom tool that the model asks for. */
export interface ResponseCustomToolCall extends Pick<
  ResponseFunctionCall,
  'id' | 'call_id' | 'name' | 'namespace' | 'status'
> {
  readonly type: 'custom_tool_call';
  /** The input, as the model wrote it. */
  readonly input: string;
}

/** Reasoning of the model. */
export interface ResponseReasoning {
  readonly type: 'reasoning';
  /** ID of the item. */
  readonly id: string;
  /** The reasoning, where `reasoning.summary` asks for it. */
  readonly summary: readonly ResponseSummaryText[];
  /** The reasoning. */
  readonly content?: readonly ResponseReasoningText[];
  /** The reasoning, to be sent back. Only with `include: ["reasoning.encrypted_content"]`. */
  readonly encrypted_content?: string;
  readonly status?: Open<'in_progress' | 'completed' | 'incomplete'>;
}

/** A web search that the server ran. */
export interface ResponseWebSearchCall {
  readonly type: 'web_search_call';
  /** ID of the item. */
  readonly id: string;
  /** How far the search is. */
  readonly status: Open<'in_progress' | 'searching' | 'completed' | 'failed'>;
  /** The search. */
  readonly action: {
    readonly type: 'search';
    /** What was searched for. */
    readonly query: string;
    /** The pages that were found. Only with `include: ["web_search_call.action.sources"]`. */
    readonly sources?: readonly {
      readonly type: 'url';
      /** Address of the page. */
      readonly url: string;
    }[];
  };
}

/** The compacted beginning of a conversation. */
export interface ResponseCompaction {
  readonly type: 'compaction';
  /** ID of the item. */
  readonly id: string;
  /** The content, to be sent back as it is. */
  readonly encrypted_content: string;
}

/** An item of a tool that an upstream with `/responses` runs. */
export type ResponseHostedOutputItem =
  | {
      readonly type: 'file_search_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** What was searched for. */
      readonly queries?: readonly string[];
      readonly results?: readonly unknown[];
    }
  | {
      readonly type: 'computer_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      readonly action?: Readonly<Record<string, unknown>>;
      readonly actions?: readonly unknown[];
      readonly pending_safety_checks?: readonly unknown[];
    }
  | {
      readonly type: 'computer_call_output';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The picture. */
      readonly output: Readonly<Record<string, unknown>>;
      readonly acknowledged_safety_checks?: readonly unknown[];
    }
  | {
      readonly type: 'code_interpreter_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** The program. */
      readonly code?: string;
      /** Where it ran. */
      readonly container_id?: string;
      readonly outputs?: readonly unknown[];
    }
  | {
      readonly type: 'image_generation_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** The image in base64. */
      readonly result?: string;
    }
  | {
      readonly type: 'mcp_list_tools';
      /** ID of the item. */
      readonly id: string;
      /** Label of the MCP server. */
      readonly server_label: string;
      /** The tools. */
      readonly tools: readonly unknown[];
    }
  | {
      readonly type: 'mcp_approval_request';
      /** ID of the item. */
      readonly id: string;
      /** Label of the MCP server. */
      readonly server_label: string;
      /** Name of the tool. */
      readonly name: string;
      /** The arguments in JSON. */
      readonly arguments: string;
    }
  | {
      readonly type: 'mcp_approval_response';
      /** ID of the item. */
      readonly id: string;
      /** ID of the item with the call. */
      readonly approval_request_id: string;
      /** Whether the call is approved. */
      readonly approve: boolean;
      /** Why. */
      readonly reason?: string;
    }
  | {
      readonly type: 'mcp_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Label of the MCP server. */
      readonly server_label: string;
      /** Name of the tool. */
      readonly name: string;
      /** The arguments in JSON. */
      readonly arguments: string;
      /** What the tool returned. */
      readonly output?: string;
    }
  | {
      readonly type: 'local_shell_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The command. */
      readonly action: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'local_shell_call_output';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** The output in JSON. */
      readonly output: string;
    }
  | {
      readonly type: 'shell_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The commands. */
      readonly action: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'shell_call_output';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The output of each command. */
      readonly output: readonly unknown[];
    }
  | {
      readonly type: 'apply_patch_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The change. */
      readonly operation: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'apply_patch_call_output';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** What the change said. */
      readonly output?: string;
    }
  | {
      readonly type: 'tool_search_call';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      readonly call_id?: string;
      /** What was searched for. */
      readonly arguments: unknown;
    }
  | {
      readonly type: 'tool_search_output';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      readonly call_id?: string;
      /** The tools. */
      readonly tools: readonly unknown[];
    }
  | {
      readonly type: 'program';
      /** ID of the item. */
      readonly id: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The program. */
      readonly code: string;
    }
  | {
      readonly type: 'program_output';
      /** ID of the item. */
      readonly id: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The result. */
      readonly result: string;
    }
  | {
      readonly type: 'configuration_update';
      /** ID of the item. */
      readonly id: string;
      readonly reasoning?: Readonly<Record<string, unknown>>;
      readonly text?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'compaction_trigger';
      /** ID of the item. */
      readonly id: string;
    };

/** Tokens that the response used. */
export interface ResponseUsage {
  /** Tokens of the input. */
  readonly input_tokens: number;
  /** Details of the input tokens. */
  readonly input_tokens_details: {
    /** Tokens that were read from a cache. */
    readonly cached_tokens: number;
    /** Tokens that were written to a cache. */
    readonly cache_write_tokens: number;
  };
  /** Tokens of the output. */
  readonly output_tokens: number;
  /** What the output tokens consist of. */
  readonly output_tokens_details: {
    /** Tokens that were used for reasoning. */
    readonly reasoning_tokens: number;
  };
  /** Tokens of the input and the output together. */
  readonly total_tokens: number;
}

/** A tool that the model saw. */
export type ResponseShownTool =
  | {
      readonly type: 'function';
      /** Name of the function. */
      readonly name: string;
      /** What it is for. */
      readonly description: string | null;
      /** JSON Schema of the arguments. */
      readonly parameters: Readonly<Record<string, unknown>> | null;
      /** Whether calls follow `parameters` exactly. */
      readonly strict: boolean | null;
    }
  | ResponseCustomTool
  | ResponseNamespaceTool
  | ResponseWebSearchTool
  | ResponseOtherTool;

/** A tool of a hosted service. */
export interface ResponseOtherTool {
  /** Type of the tool. */
  readonly type: string;
}

/** Results of the moderation that the request asked for. */
export interface ResponseModeration {
  /** Of the input. */
  readonly input:
    | {
        readonly type: 'moderation_result';
        /** Model that classified the text. */
        readonly model: string;
        /** Whether the input is potentially harmful. */
        readonly flagged: boolean;
        /** Whether the input falls into each category. */
        readonly categories: {
          /** Whether the input falls into `sexual`. */
          readonly sexual: boolean;
          /** Whether the input falls into `hate`. */
          readonly hate: boolean;
          /** Whether the input falls into `harassment`. */
          readonly harassment: boolean;
          /** Whether the input falls into `self-harm`. */
          readonly 'self-harm': boolean;
          /** Whether the input falls into `sexual/minors`. */
          readonly 'sexual/minors': boolean;
          /** Whether the input falls into `hate/threatening`. */
          readonly 'hate/threatening': boolean;
          /** Whether the input falls into `violence/graphic`. */
          readonly 'violence/graphic': boolean;
          /** Whether the input falls into `self-harm/intent`. */
          readonly 'self-harm/intent': boolean;
          /** Whether the input falls into `self-harm/instructions`. */
          readonly 'self-harm/instructions': boolean;
          /** Whether the input falls into `harassment/threatening`. */
          readonly 'harassment/threatening': boolean;
          /** Whether the input falls into `violence`. */
          readonly violence: boolean;
          readonly illicit?: boolean;
          readonly 'illicit/violent'?: boolean;
        };
        /** A score for each category. */
        readonly category_scores: {
          /** Score of `sexual`, from 0 to 1. */
          readonly sexual: number;
          /** Score of `hate`, from 0 to 1. */
          readonly hate: number;
          /** Score of `harassment`, from 0 to 1. */
          readonly harassment: number;
          /** Score of `self-harm`, from 0 to 1. */
          readonly 'self-harm': number;
          /** Score of `sexual/minors`, from 0 to 1. */
          readonly 'sexual/minors': number;
          /** Score of `hate/threatening`, from 0 to 1. */
          readonly 'hate/threatening': number;
          /** Score of `violence/graphic`, from 0 to 1. */
          readonly 'violence/graphic': number;
          /** Score of `self-harm/intent`, from 0 to 1. */
          readonly 'self-harm/intent': number;
          /** Score of `self-harm/instructions`, from 0 to 1. */
          readonly 'self-harm/instructions': number;
          /** Score of `harassment/threatening`, from 0 to 1. */
          readonly 'harassment/threatening': number;
          /** Score of `violence`, from 0 to 1. */
          readonly violence: number;
          readonly illicit?: number;
          readonly 'illicit/violent'?: number;
        };
        /** Input types that each category was applied to: none if the model does not judge the category. Absent for text-only models. */
        readonly category_applied_input_types?: {
          /** Input types that `sexual` was applied to. */
          readonly sexual: readonly Open<'text' | 'image'>[];
          /** Input types that `hate` was applied to. */
          readonly hate: readonly Open<'text' | 'image'>[];
          /** Input types that `harassment` was applied to. */
          readonly harassment: readonly Open<'text' | 'image'>[];
          /** Input types that `self-harm` was applied to. */
          readonly 'self-harm': readonly Open<'text' | 'image'>[];
          /** Input types that `sexual/minors` was applied to. */
          readonly 'sexual/minors': readonly Open<'text' | 'image'>[];
          /** Input types that `hate/threatening` was applied to. */
          readonly 'hate/threatening': readonly Open<'text' | 'image'>[];
          /** Input types that `violence/graphic` was applied to. */
          readonly 'violence/graphic': readonly Open<'text' | 'image'>[];
          /** Input types that `self-harm/intent` was applied to. */
          readonly 'self-harm/intent': readonly Open<'text' | 'image'>[];
          /** Input types that `self-harm/instructions` was applied to. */
          readonly 'self-harm/instructions': readonly Open<'text' | 'image'>[];
          /** Input types that `harassment/threatening` was applied to. */
          readonly 'harassment/threatening': readonly Open<'text' | 'image'>[];
          /** Input types that `violence` was applied to. */
          readonly violence: readonly Open<'text' | 'image'>[];
          readonly illicit?: readonly Open<'text' | 'image'>[];
          readonly 'illicit/violent'?: readonly Open<'text' | 'image'>[];
        };
        /** The score from which each category is flagged. Absent for models that do not decide by thresholds; without categories that were not scored. */
        readonly category_thresholds?: Readonly<Record<string, number>>;
      }
    | ChatCompletionModerationError;
  /** Of the output. */
  readonly output:
    | {
        readonly type: 'moderation_result';
        /** Model that classified the text. */
        readonly model: string;
        /** Whether the input is potentially harmful. */
        readonly flagged: boolean;
        /** Whether the input falls into each category. */
        readonly categories: {
          /** Whether the input falls into `sexual`. */
          readonly sexual: boolean;
          /** Whether the input falls into `hate`. */
          readonly hate: boolean;
          /** Whether the input falls into `harassment`. */
          readonly harassment: boolean;
          /** Whether the input falls into `self-harm`. */
          readonly 'self-harm': boolean;
          /** Whether the input falls into `sexual/minors`. */
          readonly 'sexual/minors': boolean;
          /** Whether the input falls into `hate/threatening`. */
          readonly 'hate/threatening': boolean;
          /** Whether the input falls into `violence/graphic`. */
          readonly 'violence/graphic': boolean;
          /** Whether the input falls into `self-harm/intent`. */
          readonly 'self-harm/intent': boolean;
          /** Whether the input falls into `self-harm/instructions`. */
          readonly 'self-harm/instructions': boolean;
          /** Whether the input falls into `harassment/threatening`. */
          readonly 'harassment/threatening': boolean;
          /** Whether the input falls into `violence`. */
          readonly violence: boolean;
          readonly illicit?: boolean;
          readonly 'illicit/violent'?: boolean;
        };
        /** A score for each category. */
        readonly category_scores: {
          /** Score of `sexual`, from 0 to 1. */
          readonly sexual: number;
          /** Score of `hate`, from 0 to 1. */
          readonly hate: number;
          /** Score of `harassment`, from 0 to 1. */
          readonly harassment: number;
          /** Score of `self-harm`, from 0 to 1. */
          readonly 'self-harm': number;
          /** Score of `sexual/minors`, from 0 to 1. */
          readonly 'sexual/minors': number;
          /** Score of `hate/threatening`, from 0 to 1. */
          readonly 'hate/threatening': number;
          /** Score of `violence/graphic`, from 0 to 1. */
          readonly 'violence/graphic': number;
          /** Score of `self-harm/intent`, from 0 to 1. */
          readonly 'self-harm/intent': number;
          /** Score of `self-harm/instructions`, from 0 to 1. */
          readonly 'self-harm/instructions': number;
          /** Score of `harassment/threatening`, from 0 to 1. */
          readonly 'harassment/threatening': number;
          /** Score of `violence`, from 0 to 1. */
          readonly violence: number;
          readonly illicit?: number;
          readonly 'illicit/violent'?: number;
        };
        /** Input types that each category was applied to: none if the model does not judge the category. Absent for text-only models. */
        readonly category_applied_input_types?: {
          /** Input types that `sexual` was applied to. */
          readonly sexual: readonly Open<'text' | 'image'>[];
          /** Input types that `hate` was applied to. */
          readonly hate: readonly Open<'text' | 'image'>[];
          /** Input types that `harassment` was applied to. */
          readonly harassment: readonly Open<'text' | 'image'>[];
          /** Input types that `self-harm` was applied to. */
          readonly 'self-harm': readonly Open<'text' | 'image'>[];
          /** Input types that `sexual/minors` was applied to. */
          readonly 'sexual/minors': readonly Open<'text' | 'image'>[];
          /** Input types that `hate/threatening` was applied to. */
          readonly 'hate/threatening': readonly Open<'text' | 'image'>[];
          /** Input types that `violence/graphic` was applied to. */
          readonly 'violence/graphic': readonly Open<'text' | 'image'>[];
          /** Input types that `self-harm/intent` was applied to. */
          readonly 'self-harm/intent': readonly Open<'text' | 'image'>[];
          /** Input types that `self-harm/instructions` was applied to. */
          readonly 'self-harm/instructions': readonly Open<'text' | 'image'>[];
          /** Input types that `harassment/threatening` was applied to. */
          readonly 'harassment/threatening': readonly Open<'text' | 'image'>[];
          /** Input types that `violence` was applied to. */
          readonly violence: readonly Open<'text' | 'image'>[];
          readonly illicit?: readonly Open<'text' | 'image'>[];
          readonly 'illicit/violent'?: readonly Open<'text' | 'image'>[];
        };
        /** The score from which each category is flagged. Absent for models that do not decide by thresholds; without categories that were not scored. */
        readonly category_thresholds?: Readonly<Record<string, number>>;
      }
    | ChatCompletionModerationError;
}

/** One event of a streamed response; `type` selects its form. */
export type ResponseStreamEvent =
  | {
      /** Type of the event. */
      readonly type:
        | 'response.created'
        | 'response.queued'
        | 'response.in_progress'
        | 'response.completed'
        | 'response.incomplete'
        | 'response.failed';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** The response of a model. */
      readonly response: ResponseObject;
    }
  | {
      /** Type of the event. */
      readonly type: 'response.output_item.added' | 'response.output_item.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** An item of the output; `type` selects its form. */
      readonly item: ResponseOutputItem;
    }
  | {
      /** Type of the event. */
      readonly type: 'response.content_part.added' | 'response.content_part.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `content`. */
      readonly content_index: number;
      /** The part, empty when it begins. */
      readonly part: ResponseOutputText | ResponseRefusal | ResponseReasoningText;
    }
  | {
      readonly type: 'response.output_text.delta';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `content`. */
      readonly content_index: number;
      /** The next characters. */
      readonly delta: string;
      /** Random characters that pad the event. See `include_obfuscation`. */
      readonly obfuscation?: string;
      /** Log probabilities. Empty unless `include` asks for them. */
      readonly logprobs: readonly ResponseLogprob[];
    }
  | {
      readonly type: 'response.output_text.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `content`. */
      readonly content_index: number;
      /** The whole text. */
      readonly text: string;
      /** Log probabilities. Empty unless `include` asks for them. */
      readonly logprobs: readonly ResponseLogprob[];
    }
  | {
      readonly type: 'response.output_text.annotation.added';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `content`. */
      readonly content_index: number;
      /** Position of the annotation in `annotations`. */
      readonly annotation_index: number;
      /** A source of the text. */
      readonly annotation: ResponseUrlCitation;
    }
  | {
      readonly type: 'response.refusal.delta';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `content`. */
      readonly content_index: number;
      /** The next characters. */
      readonly delta: string;
      /** Random characters that pad the event. See `include_obfuscation`. */
      readonly obfuscation?: string;
    }
  | {
      readonly type: 'response.refusal.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `content`. */
      readonly content_index: number;
      /** The whole refusal. */
      readonly refusal: string;
    }
  | {
      readonly type: 'response.function_call_arguments.delta';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** The next characters. */
      readonly delta: string;
      /** Random characters that pad the event. See `include_obfuscation`. */
      readonly obfuscation?: string;
    }
  | {
      readonly type: 'response.function_call_arguments.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Name of the function. */
      readonly name: string;
      /** All arguments. */
      readonly arguments: string;
    }
  | {
      readonly type: 'response.custom_tool_call_input.delta';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** The next characters. */
      readonly delta: string;
      /** Random characters that pad the event. See `include_obfuscation`. */
      readonly obfuscation?: string;
    }
  | {
      readonly type: 'response.custom_tool_call_input.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** The whole input. */
      readonly input: string;
    }
  | {
      readonly type: 'response.reasoning_text.delta';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `content`. */
      readonly content_index: number;
      /** The next characters. */
      readonly delta: string;
      /** Random characters that pad the event. See `include_obfuscation`. */
      readonly obfuscation?: string;
    }
  | {
      readonly type: 'response.reasoning_text.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `content`. */
      readonly content_index: number;
      /** The whole reasoning. */
      readonly text: string;
    }
  | {
      /** Type of the event. */
      readonly type: 'response.reasoning_summary_part.added' | 'response.reasoning_summary_part.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `summary`. */
      readonly summary_index: number;
      /** A summary of reasoning. */
      readonly part: ResponseSummaryText;
    }
  | {
      readonly type: 'response.reasoning_summary_text.delta';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `summary`. */
      readonly summary_index: number;
      /** The next characters. */
      readonly delta: string;
      /** Random characters that pad the event. See `include_obfuscation`. */
      readonly obfuscation?: string;
    }
  | {
      readonly type: 'response.reasoning_summary_text.done';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
      /** Position of the part in `summary`. */
      readonly summary_index: number;
      /** The whole part of the summary. */
      readonly text: string;
    }
  | {
      /** Type of the event. */
      readonly type:
        | 'response.web_search_call.in_progress'
        | 'response.web_search_call.searching'
        | 'response.web_search_call.completed';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Position of the item in `output`. */
      readonly output_index: number;
      /** ID of the item. */
      readonly item_id: string;
    }
  | {
      readonly type: 'error';
      /** Number of the event in the stream, from 0. */
      readonly sequence_number: number;
      /** Machine-readable code. */
      readonly code: string | null;
      /** Human-readable description of the problem. */
      readonly message: string;
      /** Path of the field at fault. */
      readonly param: string | null;
      /** The same, as hosted services send it. */
      readonly error: {
        /** Kind of the error. */
        readonly type: string;
        /** Machine-readable code. */
        readonly code: string | null;
        /** Human-readable description of the problem. */
        readonly message: string;
        /** Path of the field at fault. */
        readonly param: string | null;
      };
    };

/** A response that was deleted. */
export interface ResponseDeleted {
  /** ID of the response. */
  readonly id: string;
  readonly object: 'response';
  /** Whether it was deleted. */
  readonly deleted: boolean;
}

/** A page of items. */
export type ResponseItemList = List<ResponseItem>;

/** An item of the input or output of a response, with its ID. */
export type ResponseItem = (
  | ResponseOutputItem
  | ResponseInputMessage
  | ResponseAssistantMessage
  | ResponseFunctionCallParam
  | ResponseFunctionCallOutput
  | ResponseCustomToolCallParam
  | ResponseCustomToolCallOutput
  | ResponseReasoningParam
  | ResponseWebSearchCallParam
  | ResponseCompactionParam
  | ResponseAdditionalTools
  | ResponseHostedItem
) & {
  /** ID of the item. */
  readonly id: string;
};

/** The number of tokens of an input. */
export interface ResponseInputTokens {
  readonly object: 'response.input_tokens';
  /** Tokens of the input. Estimated where the model cannot count without generating. */
  readonly input_tokens: number;
}

/** A shorter input in place of a long one. */
export interface CompactedResponse {
  /** ID of the compaction. */
  readonly id: string;
  readonly object: 'response.compaction';
  /** When the items were compacted. In Unix seconds. */
  readonly created_at: number;
  /** The input to use from now on: the messages of the user, then one item with the summary. */
  readonly output: readonly ResponseItem[];
  /** Tokens that the response used. */
  readonly usage: ResponseUsage;
}

/** Items that responses continue and are added to. */
export interface Conversation {
  /** ID of the conversation. */
  readonly id: string;
  readonly object: 'conversation';
  /** When the conversation was created. In Unix seconds. */
  readonly created_at: number;
  /** Up to 16 key-value pairs of your own. Keys have at most 64 characters, values at most 512. */
  readonly metadata: Metadata;
}

/** A conversation that was deleted, with its items. */
export interface ConversationDeleted {
  /** ID of the conversation. */
  readonly id: string;
  readonly object: 'conversation.deleted';
  /** Whether it was deleted. */
  readonly deleted: boolean;
}

/** A message of a model. */
export interface Message {
  /** ID of the message. */
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  /** The model of the request. */
  readonly model: string;
  /** The blocks of the reply. */
  readonly content: readonly MessageContentBlock[];
  readonly stop_reason: Open<'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal'> | null;
  /** The text of `stop_sequences` that ended the reply. */
  readonly stop_sequence: string | null;
  /** About a refusal. */
  readonly stop_details: {
    readonly type: 'refusal';
    /** Always null. */
    readonly category: string | null;
    /** Always null. */
    readonly explanation: string | null;
  } | null;
  /** Always null. */
  readonly container: Readonly<Record<string, unknown>> | null;
  /** Tokens of a message. */
  readonly usage: MessageUsage;
}

/** A block of a message; `type` selects its form. */
export type MessageContentBlock =
  | {
      readonly type: 'text';
      /** The text. */
      readonly text: string;
    }
  | {
      readonly type: 'thinking';
      /** The reasoning; empty where the request omits it. */
      readonly thinking: string;
      /** Identifies the reasoning. Send it back unchanged. */
      readonly signature: string;
    }
  | {
      readonly type: 'tool_use';
      /** Names the call. */
      readonly id: string;
      /** Name of the tool. */
      readonly name: string;
      /** The input. */
      readonly input: Readonly<Record<string, unknown>>;
    };

/** Tokens of a message. */
export interface MessageUsage {
  /** Tokens of the prompt that came from no cache. */
  readonly input_tokens: number;
  /** Tokens of the prompt that were written to a cache. */
  readonly cache_creation_input_tokens: number;
  /** Tokens of the prompt that came from a cache. */
  readonly cache_read_input_tokens: number;
  /** Tokens of the reply, reasoning included. */
  readonly output_tokens: number;
  /** What the output tokens consist of. */
  readonly output_tokens_details: {
    /** Tokens of the reasoning. */
    readonly thinking_tokens: number;
  } | null;
  /** The tier that processed the request. */
  readonly service_tier: Open<'standard' | 'priority' | 'batch'>;
}

/** An event of a streamed message. */
export type MessageStreamEvent =
  | {
      readonly type: 'message_start';
      /** The message, without content. */
      readonly message: Message;
    }
  | {
      readonly type: 'content_block_start';
      /** Position of the block in `content`. */
      readonly index: number;
      /** The block, without content. */
      readonly content_block: MessageContentBlock;
    }
  | {
      readonly type: 'content_block_delta';
      /** Position of the block in `content`. */
      readonly index: number;
      /** What is added to the block. */
      readonly delta:
        | {
            readonly type: 'text_delta';
            /** The next characters. */
            readonly text: string;
          }
        | {
            readonly type: 'input_json_delta';
            /** The next characters of the input as JSON. */
            readonly partial_json: string;
          }
        | {
            readonly type: 'thinking_delta';
            /** The next characters of the reasoning. */
            readonly thinking: string;
          }
        | {
            readonly type: 'signature_delta';
            /** The signature of the reasoning. */
            readonly signature: string;
          };
    }
  | {
      readonly type: 'content_block_stop';
      /** Position of the block in `content`. */
      readonly index: number;
    }
  | {
      readonly type: 'message_delta';
      /** How the message ended. */
      readonly delta: {
        /** Why the reply ended. */
        readonly stop_reason: Open<'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal'>;
        /** The text of `stop_sequences` that ended the reply. */
        readonly stop_sequence: string | null;
        /** About a refusal. */
        readonly stop_details: {
          readonly type: 'refusal';
          /** Always null. */
          readonly category: string | null;
          /** Always null. */
          readonly explanation: string | null;
        } | null;
      };
      /** Tokens of the message. */
      readonly usage: {
        /** Tokens of the prompt that came from no cache. */
        readonly input_tokens: number;
        /** Tokens of the prompt that were written to a cache. */
        readonly cache_creation_input_tokens: number;
        /** Tokens of the prompt that came from a cache. */
        readonly cache_read_input_tokens: number;
        /** Tokens of the reply, reasoning included. */
        readonly output_tokens: number;
        /** What the output tokens consist of. */
        readonly output_tokens_details: {
          /** Tokens of the reasoning. */
          readonly thinking_tokens: number;
        } | null;
      };
    }
  | { readonly type: 'message_stop' }
  | { readonly type: 'ping' }
  | MessageError;

/** An error. */
export interface MessageError {
  readonly type: 'error';
  /** The error. */
  readonly error: {
    /** Kind of the error. */
    readonly type: Open<
      | 'invalid_request_error'
      | 'authentication_error'
      | 'permission_error'
      | 'not_found_error'
      | 'conflict_error'
      | 'request_too_large'
      | 'rate_limit_error'
      | 'timeout_error'
      | 'overloaded_error'
      | 'api_error'
    >;
    /** What is wrong. */
    readonly message: string;
    /** More about the error. */
    readonly details: {
      /** Machine-readable code. */
      readonly error_code: string | null;
      /** Path of the field at fault. */
      readonly param: string | null;
    };
  };
  /** ID of the request. */
  readonly request_id: string;
}

/** The tokens of a prompt. */
export interface MessageTokensCount {
  /** Tokens of the prompt. */
  readonly input_tokens: number;
}

/** A batch of messages. */
export interface MessageBatch {
  /** ID of the batch. */
  readonly id: string;
  readonly type: 'message_batch';
  /** How far it is. */
  readonly processing_status: 'in_progress' | 'canceling' | 'ended';
  /** The requests by outcome. Until the batch has ended, all are `processing`. */
  readonly request_counts: {
    /** Requests that have no result yet. */
    readonly processing: number;
    /** Requests with a message. */
    readonly succeeded: number;
    /** Requests that failed. */
    readonly errored: number;
    /** Requests that were not sent because the batch was cancelled. */
    readonly canceled: number;
    /** Requests that were not sent in time. */
    readonly expired: number;
  };
  /** When it was created. */
  readonly created_at: string;
  /** When it expires. */
  readonly expires_at: string;
  readonly ended_at: string | null;
  readonly cancel_initiated_at: string | null;
  readonly archived_at: string | null;
  /** Address of the results, once the batch has ended. */
  readonly results_url: string | null;
}

/** A page of batches, newest first. */
export interface MessageBatchList {
  /** The batches. */
  readonly data: readonly MessageBatch[];
  /** Whether there are more in this direction. */
  readonly has_more: boolean;
  /** ID of the first batch of the page. */
  readonly first_id: string | null;
  /** ID of the last batch of the page. */
  readonly last_id: string | null;
}

/** A deleted batch. */
export interface MessageBatchDeleted {
  /** ID of the batch. */
  readonly id: string;
  readonly type: 'message_batch_deleted';
}

/** Continuations of one or several texts. */
export interface TextCompletion {
  /** ID of the completion. */
  readonly id: string;
  readonly object: 'text_completion';
  /** When the completion was created. In Unix seconds. */
  readonly created: number;
  /** Model that generated the text. */
  readonly model: string;
  /** Changes when the model or its configuration does. */
  readonly system_fingerprint?: string;
  /** `n` choices for each prompt. */
  readonly choices: readonly TextCompletionChoice[];
  /** Tokens that the request used. */
  readonly usage?: CompletionUsage | null;
}

/** One continuation of a prompt. */
export interface TextCompletionChoice {
  /** The text. */
  readonly text: string;
  /** Position of the choice: those of the first prompt come first. */
  readonly index: number;
  /** Null unless asked for. */
  readonly logprobs: TextCompletionLogprobs | null;
  /** Why the choice ended. Null in chunks before its last. */
  readonly finish_reason: Open<'stop' | 'length' | 'content_filter'> | null;
}

/** Log probabilities of the tokens of a choice. */
export interface TextCompletionLogprobs {
  /** The tokens. */
  readonly tokens: readonly string[];
  /** Log probability of each token. */
  readonly token_logprobs: readonly (number | null)[];
  /** The most likely tokens at each position, with their log probabilities. */
  readonly top_logprobs: readonly (Readonly<Record<string, number>> | null)[];
  /** Position of each token in the text of the choice, in UTF-16 units. */
  readonly text_offset: readonly number[];
}

/** The embeddings of a request. */
export interface EmbeddingList {
  readonly object: 'list';
  /** One embedding for each input, in their order. */
  readonly data: readonly Embedding[];
  /** Model that made them. */
  readonly model: string;
  /** Tokens that the request used. Absent where the server of the model does not report them. */
  readonly usage?: {
    /** Tokens of all inputs. */
    readonly prompt_tokens: number;
    /** The same: embeddings have no output tokens. */
    readonly total_tokens: number;
  };
}

/** The embedding of one input. */
export interface Embedding {
  readonly object: 'embedding';
  /** Position of the input, from 0. */
  readonly index: number;
  /** The vector: numbers, or a string of base64. */
  readonly embedding: readonly number[] | string;
}

/** A classification of texts and images. */
export interface Moderation {
  /** ID of the moderation. */
  readonly id: string;
  /** Model that classified the input. */
  readonly model: string;
  /** One entry for each input. */
  readonly results: readonly {
    /** Whether the input is potentially harmful. */
    readonly flagged: boolean;
    /** Whether the input falls into each category. */
    readonly categories: {
      /** Whether the input falls into `sexual`. */
      readonly sexual: boolean;
      /** Whether the input falls into `hate`. */
      readonly hate: boolean;
      /** Whether the input falls into `harassment`. */
      readonly harassment: boolean;
      /** Whether the input falls into `self-harm`. */
      readonly 'self-harm': boolean;
      /** Whether the input falls into `sexual/minors`. */
      readonly 'sexual/minors': boolean;
      /** Whether the input falls into `hate/threatening`. */
      readonly 'hate/threatening': boolean;
      /** Whether the input falls into `violence/graphic`. */
      readonly 'violence/graphic': boolean;
      /** Whether the input falls into `self-harm/intent`. */
      readonly 'self-harm/intent': boolean;
      /** Whether the input falls into `self-harm/instructions`. */
      readonly 'self-harm/instructions': boolean;
      /** Whether the input falls into `harassment/threatening`. */
      readonly 'harassment/threatening': boolean;
      /** Whether the input falls into `violence`. */
      readonly violence: boolean;
      readonly illicit?: boolean;
      readonly 'illicit/violent'?: boolean;
    };
    /** A score for each category. */
    readonly category_scores: {
      /** Score of `sexual`, from 0 to 1. */
      readonly sexual: number;
      /** Score of `hate`, from 0 to 1. */
      readonly hate: number;
      /** Score of `harassment`, from 0 to 1. */
      readonly harassment: number;
      /** Score of `self-harm`, from 0 to 1. */
      readonly 'self-harm': number;
      /** Score of `sexual/minors`, from 0 to 1. */
      readonly 'sexual/minors': number;
      /** Score of `hate/threatening`, from 0 to 1. */
      readonly 'hate/threatening': number;
      /** Score of `violence/graphic`, from 0 to 1. */
      readonly 'violence/graphic': number;
      /** Score of `self-harm/intent`, from 0 to 1. */
      readonly 'self-harm/intent': number;
      /** Score of `self-harm/instructions`, from 0 to 1. */
      readonly 'self-harm/instructions': number;
      /** Score of `harassment/threatening`, from 0 to 1. */
      readonly 'harassment/threatening': number;
      /** Score of `violence`, from 0 to 1. */
      readonly violence: number;
      readonly illicit?: number;
      readonly 'illicit/violent'?: number;
    };
    /** Input types that each category was applied to: none if the model does not judge the category. Absent for text-only models. */
    readonly category_applied_input_types?: {
      /** Input types that `sexual` was applied to. */
      readonly sexual: readonly Open<'text' | 'image'>[];
      /** Input types that `hate` was applied to. */
      readonly hate: readonly Open<'text' | 'image'>[];
      /** Input types that `harassment` was applied to. */
      readonly harassment: readonly Open<'text' | 'image'>[];
      /** Input types that `self-harm` was applied to. */
      readonly 'self-harm': readonly Open<'text' | 'image'>[];
      /** Input types that `sexual/minors` was applied to. */
      readonly 'sexual/minors': readonly Open<'text' | 'image'>[];
      /** Input types that `hate/threatening` was applied to. */
      readonly 'hate/threatening': readonly Open<'text' | 'image'>[];
      /** Input types that `violence/graphic` was applied to. */
      readonly 'violence/graphic': readonly Open<'text' | 'image'>[];
      /** Input types that `self-harm/intent` was applied to. */
      readonly 'self-harm/intent': readonly Open<'text' | 'image'>[];
      /** Input types that `self-harm/instructions` was applied to. */
      readonly 'self-harm/instructions': readonly Open<'text' | 'image'>[];
      /** Input types that `harassment/threatening` was applied to. */
      readonly 'harassment/threatening': readonly Open<'text' | 'image'>[];
      /** Input types that `violence` was applied to. */
      readonly violence: readonly Open<'text' | 'image'>[];
      readonly illicit?: readonly Open<'text' | 'image'>[];
      readonly 'illicit/violent'?: readonly Open<'text' | 'image'>[];
    };
    /** The score from which each category is flagged. Absent for models that do not decide by thresholds; without categories that were not scored. */
    readonly category_thresholds?: Readonly<Record<string, number>>;
  }[];
}

/** A file of requests that runs in the background. */
export interface Batch {
  /** ID of the batch. */
  readonly id: string;
  readonly object: 'batch';
  /** Path of the endpoint that every line is sent to. */
  readonly endpoint: string;
  /** Model of the requests, if known. */
  readonly model?: string | null;
  /** Why the batch failed. Null unless it did. */
  readonly errors?: {
    readonly object?: string;
    /** One entry for each problem. */
    readonly data?: readonly BatchError[];
  } | null;
  /** ID of the file with the requests. */
  readonly input_file_id: string;
  /** Time within which the batch ends. */
  readonly completion_window: string;
  /** State of the batch. */
  readonly status: Open<
    'validating' | 'failed' | 'in_progress' | 'finalizing' | 'completed' | 'expired' | 'cancelling' | 'cancelled'
  >;
  readonly output_file_id?: string | null;
  readonly error_file_id?: string | null;
  /** When the batch was created. In Unix seconds. */
  readonly created_at: number;
  readonly in_progress_at?: number | null;
  readonly expires_at?: number | null;
  readonly finalizing_at?: number | null;
  readonly completed_at?: number | null;
  readonly failed_at?: number | null;
  readonly expired_at?: number | null;
  readonly cancelling_at?: number | null;
  readonly cancelled_at?: number | null;
  /** Number of lines by outcome. */
  readonly request_counts?: {
    /** All lines. */
    readonly total: number;
    /** Lines that were answered with success. */
    readonly completed: number;
    /** Lines that failed. */
    readonly failed: number;
  };
  readonly usage?: BatchUsage;
  readonly waiting_for?: BatchWaitingFor | null;
  readonly late?: BatchLate | null;
  readonly metadata?: Metadata | null;
}

/** Why the batch or one line of its input was refused. */
export interface BatchError {
  /** Machine-readable code. */
  readonly code?: string | null;
  /** Number of the line in the input file, from 1. */
  readonly line?: number | null;
  /** Human-readable description of the problem. */
  readonly message?: string;
  /** Path of the field that is wrong. */
  readonly param?: string | null;
}

/** Tokens used by all lines of the batch. */
export interface BatchUsage {
  /** Tokens of all requests. */
  readonly input_tokens: number;
  /** What the input tokens consist of. */
  readonly input_tokens_details: {
    /** Input tokens that were read from a cache. */
    readonly cached_tokens: number;
  };
  /** Tokens of all replies. */
  readonly output_tokens: number;
  /** What the output tokens consist of. */
  readonly output_tokens_details: {
    /** Output tokens that were used for reasoning. */
    readonly reasoning_tokens: number;
  };
  /** Input and output tokens together. */
  readonly total_tokens: number;
}

/** Of this server: why no line runs at present. Missing while lines run, and when the batch has ended. */
export interface BatchWaitingFor {
  /** What the batch waits for. */
  readonly reason: Open<
    | 'budget'
    | 'model_unavailable'
    | 'upstream_unavailable'
    | 'storage'
    | 'capacity'
    | 'rate_limit'
    | 'server_error'
    | 'quarantine'
    | 'batches'
  >;
  /** Description of the error with which a line was refused. */
  readonly message: string;
  /** Since when the batch waits. In Unix seconds. */
  readonly since: number;
  readonly until: number | null;
}

/** Of this server: the batch expires before its lines have ended at the present rate. Missing while it is on time. */
export interface BatchLate {
  /** Since when the batch is late. In Unix seconds. */
  readonly since: number;
  /** When its last line ends at the present rate. In Unix seconds. */
  readonly expected_at: number;
}

/** A page of batches. */
export type BatchList = List<Batch>;

/** Stored completions as files of lines, and what they were made of. */
export interface Dataset {
  /** ID of the file that has this object as its content. */
  readonly id: string;
  readonly object: 'dataset';
  /** Name of the files. */
  readonly name: string;
  /** When the dataset was created. In Unix seconds. */
  readonly created_at: number;
  /** What a line of the files is. */
  readonly format: Open<'fine_tuning' | 'evaluation' | 'batch'>;
  /** Which stored completions were used. Null for a dataset of a dataset. */
  readonly filter: DatasetFilter | null;
  /** ID of the dataset whose completions were used. */
  readonly dataset?: string | null;
  /** Null for one file. */
  readonly split: DatasetSplit | null;
  /** Whether equal lines were left out. */
  readonly deduplicated: boolean;
  /** Whether the command of the operator has redacted the lines. */
  readonly redacted: boolean;
  /** Parameters of the requests in place of those that were stored. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  /** What became of the completions. */
  readonly counts: {
    /** Completions that were read. */
    readonly completions: number;
    /** Lines of all files. */
    readonly lines: number;
    /** Lines that were equal to an earlier one. */
    readonly duplicates: number;
    /** Completions that the format cannot express, such as replies that were cut off. */
    readonly skipped: number;
  };
  /** The files, the training part first. None without lines. */
  readonly files: readonly DatasetFile[];
}

/** A file of a dataset. */
export interface DatasetFile {
  /** ID of the file. */
  readonly file_id: string;
  readonly split: Open<'train' | 'test'> | null;
  /** Lines of the file. */
  readonly lines: number;
  /** Size of the file. */
  readonly bytes: number;
  /** SHA-256 of the file in hexadecimal digits. */
  readonly sha256: string;
}

/** The requests of a dataset that run again. */
export interface DatasetRerun {
  /** ID of the batch that runs them. If it is cancelled, so are the batches that it has started. A comparison takes it as a candidate. */
  readonly id: string;
  readonly object: 'dataset.rerun';
  /** Name of the batches. */
  readonly name: string;
  /** ID of the dataset. */
  readonly dataset: string;
  /** Parameters of the requests in place of those that were stored. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The batches that the batch `id` has started for the requests, in their order. Empty until they have ended: its result has them. */
  readonly batch_ids: readonly string[];
}

/** Replies to the same requests, compared. */
export interface DatasetComparison {
  /** ID of the file that has this object as its content. */
  readonly id: string;
  readonly object: 'dataset.comparison';
  /** Name of the files. */
  readonly name: string;
  /** When the comparison was created. In Unix seconds. */
  readonly created_at: number;
  /** ID of the dataset. */
  readonly dataset: string;
  /** The batches of the candidate. */
  readonly candidate_batch_ids: readonly string[];
  /** The batches of the baseline. Null for the replies of the dataset. */
  readonly baseline_batch_ids: readonly string[] | null;
  /** The cases, in the order of the files. */
  readonly counts: {
    /** Items of the dataset. */
    readonly cases: number;
    /** Cases in which a scorer prefers one reply, or one is missing. */
    readonly told_apart: number;
    /** Other cases whose replies are different texts. */
    readonly different: number;
    /** Cases with equal replies. */
    readonly equal: number;
  };
  /** One for each scorer, in their order. */
  readonly scorers: readonly ComparisonResult[];
  /** What the replies of one side took. */
  readonly baseline: ComparisonSide;
  /** What the replies of one side took. */
  readonly candidate: ComparisonSide;
  /** Currency of the costs. */
  readonly currency: string;
  /** File with a case on each line as JSON. Null without cases. */
  readonly cases_file_id?: string | null;
  /** File with the same cases as CSV. */
  readonly csv_file_id: string;
}

/** The scores of all cases by one scorer. */
export interface ComparisonResult {
  /** The scorer. */
  readonly type: Open<'exact' | 'normalized' | 'json_schema' | 'regex' | 'embedding' | 'judge'>;
  /** Cases with a score. */
  readonly scored: number;
  /** Cases with both replies that have no score because of an error. */
  readonly failed: number;
  /** Why cases have no score, the most frequent error first: the first 10, and all others as one. */
  readonly errors: readonly ComparisonError[];
  /** Mean score of the baseline. Null without a score. */
  readonly baseline_mean: number | null;
  /** Mean score of the candidate. Null without a score. */
  readonly candidate_mean: number | null;
  /** Cases in which the candidate has the higher score. */
  readonly wins: number;
  /** Cases in which the baseline has the higher score. */
  readonly losses: number;
  /** Cases with equal scores. */
  readonly ties: number;
  /** Share of wins, with ties as half a win. */
  readonly win_rate: number | null;
  /** Bounds of the 95 % confidence interval of the win rate, by Wilson. */
  readonly win_rate_interval: readonly number[] | null;
  /** Files of requests whose results the scorer needs. Empty if it has them. */
  readonly request_file_ids: readonly string[];
}

/** Why cases have no reply, or no score. */
export interface ComparisonError {
  /** Code of the error. */
  readonly code?: string | null;
  /** The error. */
  readonly message: string;
  /** Cases with this error. */
  readonly cases: number;
  /** The first of them, by the IDs of their completions. At most 10. */
  readonly case_ids: readonly string[];
}

/** What the replies of one side took. */
export interface ComparisonSide {
  /** Replies that there are. */
  readonly replies: number;
  /** Why cases have no reply, the most frequent error first: the first 10, and all others as one. */
  readonly errors: readonly ComparisonError[];
  /** Input tokens of all replies. */
  readonly input_tokens: number;
  /** Output tokens of all replies. */
  readonly output_tokens: number;
  /** Cost of all replies in `currency`. Null without a price. */
  readonly cost: number | null;
  /** Mean of the known durations. */
  readonly mean_duration_ms: number | null;
}

/** A file that is sent in parts. */
export interface Upload {
  /** ID of the upload. */
  readonly id: string;
  readonly object: 'upload';
  /** When the upload was created. In Unix seconds. */
  readonly created_at: number;
  /** Name of the file to be uploaded. */
  readonly filename: string;
  /** Size of the whole file, as declared when the upload was created. */
  readonly bytes: number;
  /** What the file is for. */
  readonly purpose: string;
  /** State of the upload. */
  readonly status: Open<'pending' | 'completed' | 'cancelled' | 'expired'>;
  /** When the upload expires if it has not been completed. In Unix seconds. */
  readonly expires_at: number;
  /** The file, once the upload is completed. */
  readonly file?: FileObject | null;
}

/** A file that was uploaded or that a batch wrote. */
export interface FileObject {
  /** ID of the file. */
  readonly id: string;
  readonly object: 'file';
  /** Size in bytes. */
  readonly bytes: number;
  /** When the file was created. In Unix seconds. */
  readonly created_at: number;
  readonly expires_at?: number | null;
  /** Name of the file. */
  readonly filename: string;
  /** What the file is for. */
  readonly purpose: Open<
    | 'assistants'
    | 'batch'
    | 'fine-tune'
    | 'vision'
    | 'user_data'
    | 'evals'
    | 'assistants_output'
    | 'batch_output'
    | 'fine-tune-results'
    | 'dataset'
    | 'comparison'
  >;
  readonly status?: Open<'uploaded' | 'processed' | 'error'>;
  /** Deprecated. Why the file could not be processed. */
  readonly status_details?: string | null;
}

/** One part of an upload. */
export interface UploadPart {
  /** ID of the part, for `part_ids` of Complete upload. */
  readonly id: string;
  readonly object: 'upload.part';
  /** When the part was added. In Unix seconds. */
  readonly created_at: number;
  /** ID of the upload. */
  readonly upload_id: string;
}

/** A page of files. */
export type FileObjectList = List<FileObject>;

/** A file that was deleted. */
export interface FileDeleted {
  /** ID of the file. */
  readonly id: string;
  readonly object: 'file';
  /** Whether it was deleted. */
  readonly deleted: boolean;
}

/** A job that makes a video. */
export interface Video {
  /** ID of the video. */
  readonly id: string;
  readonly object: 'video';
  /** ID of the model that makes the video. */
  readonly model: string;
  /** State of the job. */
  readonly status: Open<'queued' | 'in_progress' | 'completed' | 'failed'>;
  /** Progress in per cent. */
  readonly progress: number;
  /** When the job was created. In Unix seconds. */
  readonly created_at: number;
  readonly completed_at?: number | null;
  readonly expires_at?: number | null;
  /** Width and height in pixels. */
  readonly size: Open<'720x1280' | '1280x720' | '1024x1792' | '1792x1024'>;
  /** Length in seconds; of an extension, that of the source and the new part together. */
  readonly seconds: Open<'4' | '8' | '12'>;
  /** The prompt of the job. */
  readonly prompt?: string | null;
  readonly remixed_from_video_id?: string | null;
  /** Why the job failed. Null unless it did. */
  readonly error?: {
    /** Machine-readable code. */
    readonly code: string;
    /** Human-readable description of the problem. */
    readonly message: string;
  } | null;
}

/** A page of video jobs. */
export type VideoList = List<Video>;

/** A video that was deleted. */
export interface VideoDeleted {
  /** ID of the video. */
  readonly id: string;
  readonly object: 'video.deleted';
  /** Whether it was deleted. */
  readonly deleted: boolean;
}

/** All models. The list has no pages. */
export interface ModelList {
  readonly object: 'list';
  /** The models. */
  readonly data: readonly Model[];
}

/** A model that this server serves. */
export interface Model {
  /** ID of the model, for the `model` field of requests. */
  readonly id: string;
  readonly object: 'model';
  /** When the model was created, or first served. In Unix seconds. */
  readonly created: number;
  /** Who provides the model. */
  readonly owned_by: string;
  /** Which requests the model serves. Absent if the server only forwards requests to it. */
  readonly kinds?: readonly Open<'chat' | 'embedding' | 'moderation' | 'video'>[];
  /** The only API that serves the model: `messages` is the Anthropic Messages API. Absent if all APIs for chat models do. */
  readonly dialect?: Open<'messages'>;
}

/** What a chat model supports at this server. */
export interface ModelCapabilities {
  readonly object: 'model.capabilities';
  /** ID of the model. */
  readonly model: string;
  /** The only API that serves the model: `messages` is the Anthropic Messages API. Absent if all APIs for chat models do. */
  readonly dialect?: Open<'messages'>;
  /** How each request parameter that not every model supports is handled: `native` by the model, `emulated` by the server, or `refused` with a 400 that names it. */
  readonly parameters: Readonly<Record<string, 'native' | 'emulated' | 'refused'>>;
  /** Roles that messages may have. */
  readonly roles: readonly string[];
  /** Types of content parts that user messages may have. */
  readonly inputs: readonly string[];
  /** Types of output. */
  readonly modalities: readonly string[];
  /** Types of `response_format`. */
  readonly response_formats: readonly string[];
  /** How replies become what `response_format`, strict functions and grammars of custom tools require: `guaranteed` by the server, which repairs replies; `native` by the model, checked by the server; `off` if the server does not check them. */
  readonly structured_outputs: Open<'guaranteed' | 'native' | 'off'>;
  /** Types of tools. */
  readonly tool_types: readonly string[];
  /** Syntaxes of grammars that custom tools may have. */
  readonly grammars: readonly string[];
  readonly reasoning_efforts: readonly string[] | null;
  /** Values of `verbosity`. */
  readonly verbosities: readonly string[];
  /** Values of `service_tier`. */
  readonly service_tiers: readonly string[];
  /** Absent for models of other servers. */
  readonly runtime?: ModelRuntime;
}

/** Where a model runs that the server runs itself. */
export interface ModelRuntime {
  /** What computes the model; `cpu` if no layer is on a GPU. */
  readonly backend: Open<'cpu' | 'cuda' | 'vulkan' | 'metal'>;
  /** Names of the GPUs. Null on the CPU. */
  readonly device: string | null;
  /** Layers on the GPU. */
  readonly gpu_layers: number;
  /** All layers of the model. */
  readonly layers: number;
  /** Memory of the GPU that weights and context take. */
  readonly gpu_memory_bytes: number;
  /** Memory of the host that weights and context take. */
  readonly memory_bytes: number;
  /** Tokens of the context of each reply. */
  readonly context_size: number;
  /** Replies at a time. */
  readonly sequences: number;
}

/** A page of the usage report. */
export type UsagePage = ReportPage<UsageResult>;

/** What was used in one day, in total or by one group. */
export interface UsageResult {
  readonly object: 'organization.usage.completions.result';
  /** Requests to models. */
  readonly num_model_requests: number;
  /** Tokens of the requests. */
  readonly input_tokens: number;
  /** Tokens of the replies. */
  readonly output_tokens: number;
  readonly input_cached_tokens?: number;
  /** The project, when grouped by `project_id`. */
  readonly project_id?: string | null;
  /** The key, when grouped by `api_key_id`. */
  readonly api_key_id?: string | null;
  /** The model, when grouped by `model`. */
  readonly model?: string | null;
}

/** A page of projects. */
export type ProjectList = List<Project>;

/** A project. All keys of a project share its records and limits. */
export interface Project {
  /** ID of the project. */
  readonly id: string;
  readonly object: 'organization.project';
  /** Name of the project. */
  readonly name: string;
  /** Keys of an archived project are refused. */
  readonly status: Open<'active' | 'archived'>;
  /** When the project was created. In Unix seconds. */
  readonly created_at: number;
  readonly archived_at: number | null;
  /** Requests per minute. Null for no limit of its own. */
  readonly requests_per_minute: number | null;
  /** Tokens per minute. Null for no limit of its own. */
  readonly tokens_per_minute: number | null;
  /** The models that may be used. Null allows all. */
  readonly allowed_models: readonly string[] | null;
  /** Output tokens that a request may ask for. Null for no limit. */
  readonly max_output_tokens: number | null;
  /** Bytes of files, stored completions and stored responses that the project may keep. Null for no limit. */
  readonly storage_limit_bytes: number | null;
  /** Bytes of files, stored completions and stored responses that the project keeps. Only when one project is retrieved. */
  readonly storage_used_bytes?: number;
}

/** A page of API keys. */
export type ProjectApiKeyList = List<ProjectApiKey>;

/** An API key, without its secret. */
export interface ProjectApiKey extends Pick<
  Project,
  'requests_per_minute' | 'tokens_per_minute' | 'allowed_models' | 'max_output_tokens'
> {
  /** ID of the key. */
  readonly id: string;
  readonly object: 'organization.project.api_key';
  /** Name of the key. */
  readonly name: string;
  /** The first characters of the key. */
  readonly redacted_value: string;
  /** ID of the project of the key. */
  readonly project_id: string;
  /** What the key permits. */
  readonly role: Open<'full' | 'read_only' | 'inference_only' | 'admin'>;
  /** When the key was created. In Unix seconds. */
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

/** An API key with its secret. */
export interface ProjectApiKeyWithValue extends ProjectApiKey {
  /** The key. It is shown once and not stored. */
  readonly value: string;
}

/** The revocation of an API key. */
export interface ProjectApiKeyDeleted {
  /** ID of the key. */
  readonly id: string;
  readonly object: 'organization.project.api_key.deleted';
  /** Whether the key is revoked. */
  readonly deleted: boolean;
}

/** All budgets that match. */
export type BudgetList = List<Budget>;

/** A limit of what a key or a project may spend in a day or a month. */
export interface Budget {
  /** ID of the budget. */
  readonly id: string;
  readonly object: 'organization.budget';
  /** The project that the budget applies to. Null for the budget of a key. */
  readonly project_id: string | null;
  /** The key that the budget applies to. Null for the budget of a project. */
  readonly api_key_id: string | null;
  /** What is limited: tokens, or their cost by the price table. */
  readonly unit: Open<'tokens' | 'cost'>;
  /** How often the budget starts again, in UTC. */
  readonly period: Open<'day' | 'month'>;
  /** Requests beyond it are served, with a header. In tokens, or in millionths of the currency of the price table. */
  readonly soft_limit: number | null;
  /** Requests beyond it are refused. In tokens, or in millionths of the currency of the price table. */
  readonly hard_limit: number | null;
  /** Replaces `hard_limit` until the current period ends. Null for none. */
  readonly override_limit: number | null;
  /** What was spent in the current period. In tokens, or in millionths of the currency of the price table. */
  readonly spent: number;
  /** What running requests have reserved. */
  readonly reserved: number;
  /** Start of the current period. In Unix seconds. */
  readonly period_start: number;
  /** End of the current period. In Unix seconds. */
  readonly resets_at: number;
  /** When the budget was created. In Unix seconds. */
  readonly created_at: number;
}

/** The deletion of a budget. */
export interface BudgetDeleted {
  /** ID of the budget. */
  readonly id: string;
  readonly object: 'organization.budget.deleted';
  /** Whether it was deleted. */
  readonly deleted: boolean;
}

/** A page of the audit log, newest first. */
export type AuditLogList = List<AuditLog>;

/** An administrative action. */
export interface AuditLog {
  /** ID of the entry. */
  readonly id: string;
  readonly object: 'organization.audit_log';
  /** What was done. */
  readonly type: Open<
    | 'login.succeeded'
    | 'project.created'
    | 'project.updated'
    | 'project.archived'
    | 'api_key.created'
    | 'api_key.updated'
    | 'api_key.rotated'
    | 'api_key.deleted'
    | 'budget.created'
    | 'budget.updated'
    | 'budget.reset'
    | 'budget.deleted'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.rotated'
    | 'webhook.deleted'
  >;
  /** When it was done. In Unix seconds. */
  readonly effective_at: number;
  /** Who did it. */
  readonly actor: {
    /** Who did it: the holder of a key, a person who signed in to the console without one, or a command on the machine of the server. */
    readonly type: Open<'api_key' | 'session' | 'system'>;
    /** The key that was used, if it was a key. */
    readonly api_key: {
      /** ID of the key. */
      readonly id: string;
    } | null;
    /** The session of a person, if it was one. */
    readonly session: {
      /** The person. */
      readonly user: {
        /** ID of the person. */
        readonly id: string;
        /** Name of the person at that time, such as an email address. */
        readonly name: string;
      };
    } | null;
  };
  /** The project that it concerns. */
  readonly project: {
    /** ID of the project. */
    readonly id: string;
  } | null;
  /** ID of the project, key, budget or webhook that was changed, or of the person who signed in. */
  readonly resource_id: string;
  /** The fields that were set, with their new values. Never a secret. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** A page of the request log. */
export type LoggedRequestList = List<LoggedRequest>;

/** A request to a model that left no stored completion. Its content was not kept. */
export interface LoggedRequest {
  /** ID of the request. */
  readonly id: string;
  readonly object: 'organization.request_log';
  /** When it was received. In Unix seconds. */
  readonly created_at: number;
  /** ID of the project. */
  readonly project_id: string;
  /** ID of the key, or of the person who used the console. */
  readonly api_key_id: string;
  /** Path of the endpoint. */
  readonly endpoint: string;
  readonly model: string | null;
  /** How it ended. A request is aborted when its client disconnects, or the server stops. */
  readonly outcome: Open<'succeeded' | 'failed' | 'aborted'>;
  /** Status of the response. A stream that failed after its start has 200; a request that was aborted before its response has 0. */
  readonly status: number;
  readonly error_code: string | null;
  /** Whether the reply was streamed. */
  readonly stream: boolean;
  /** From the request to the end of the response. In milliseconds. */
  readonly duration_ms: number;
  readonly first_token_ms: number | null;
  /** What was used. Null where no tokens were counted. */
  readonly usage: {
    /** Tokens of the request. */
    readonly input_tokens: number;
    /** Tokens of the reply. */
    readonly output_tokens: number;
    /** Input tokens that were read from a cache. */
    readonly input_cached_tokens: number;
  } | null;
  /** What it cost by the price table at that time. Null for a model without a price. */
  readonly cost: {
    /** The amount, exact to a millionth. */
    readonly value: number;
    /** Currency of the price table, in lower case. */
    readonly currency: string;
  } | null;
  readonly response_id: string | null;
  readonly batch_id: string | null;
}

/** A page of the cost report. */
export type CostsPage = ReportPage<CostsResult>;

/** What one day cost, in total or for one group. */
export interface CostsResult {
  readonly object: 'organization.costs.result';
  /** What it cost by the price table at that time. */
  readonly amount: {
    /** The amount, exact to a millionth. */
    readonly value: number;
    /** Currency of the price table, in lower case. */
    readonly currency: string;
  };
  /** The project, when grouped by `project_id`. */
  readonly project_id?: string | null;
  /** The key, when grouped by `api_key_id`. */
  readonly api_key_id?: string | null;
  /** The model, when grouped by `line_item`. */
  readonly line_item?: string | null;
}

/** A page of webhooks. */
export type WebhookList = List<Webhook>;

/** An endpoint that receives events, without its signing secret. */
export interface Webhook {
  /** ID of the webhook. */
  readonly id: string;
  readonly object: 'organization.webhook';
  /** Name of the webhook. */
  readonly name: string;
  /** Where events are sent. */
  readonly url: string;
  /** The project whose events are sent. Null for the events of all projects and of the server. */
  readonly project_id: string | null;
  /** The types of events that are sent. Null for all. */
  readonly event_types:
    | readonly Open<
        | 'batch.completed'
        | 'batch.failed'
        | 'batch.expired'
        | 'batch.cancelled'
        | 'response.completed'
        | 'response.incomplete'
        | 'response.failed'
        | 'response.cancelled'
        | 'video.completed'
        | 'video.failed'
        | 'budget.soft_limit_reached'
        | 'budget.hard_limit_reached'
        | 'upstream.down'
        | 'upstream.up'
      >[]
    | null;
  /** Whether events are sent. */
  readonly enabled: boolean;
  /** When the webhook was created. In Unix seconds. */
  readonly created_at: number;
}

/** A webhook with its signing secret. */
export interface WebhookWithSecret extends Webhook {
  /** Signs deliveries. It is shown once. */
  readonly secret: string;
}

/** The deletion of a webhook. */
export interface WebhookDeleted {
  /** ID of the webhook. */
  readonly id: string;
  readonly object: 'organization.webhook.deleted';
  /** Whether it was deleted. */
  readonly deleted: boolean;
}

/** A page of deliveries, newest first. */
export type WebhookDeliveryList = List<WebhookDelivery>;

/** An event for one webhook. Deliveries are kept for 30 days. */
export interface WebhookDelivery {
  /** ID of the delivery. */
  readonly id: string;
  readonly object: 'organization.webhook.delivery';
  /** ID of the webhook. */
  readonly webhook_id: string;
  /** ID of the event, which is sent as `webhook-id`. */
  readonly event_id: string;
  /** Type of the event. */
  readonly event_type: Open<
    | 'batch.completed'
    | 'batch.failed'
    | 'batch.expired'
    | 'batch.cancelled'
    | 'response.completed'
    | 'response.incomplete'
    | 'response.failed'
    | 'response.cancelled'
    | 'video.completed'
    | 'video.failed'
    | 'budget.soft_limit_reached'
    | 'budget.hard_limit_reached'
    | 'upstream.down'
    | 'upstream.up'
  >;
  /** `canceled`: the webhook was disabled before the delivery succeeded. */
  readonly status: Open<'pending' | 'succeeded' | 'failed' | 'canceled'>;
  /** The last 20 requests, the oldest first. */
  readonly attempts: readonly {
    /** When the request was sent. In Unix seconds. */
    readonly created_at: number;
    /** Milliseconds until the reply, or until the request failed. */
    readonly duration_ms: number;
    /** Status of the reply. Null if there was none. */
    readonly response_status: number | null;
    /** Why the attempt failed. Null if it succeeded. */
    readonly error: string | null;
  }[];
  readonly next_attempt_at: number | null;
  /** When the event happened. In Unix seconds. */
  readonly created_at: number;
  /** The body of the requests. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface BatchOutputLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: Readonly<Record<string, unknown>>;
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The body of every response that is not a success. */
export interface ErrorBody {
  /** What went wrong. */
  readonly error: {
    /** Human-readable description of the problem. The text may change. */
    readonly message: string;
    /** `invalid_request_error` below status 500, `server_error` from there on; at 429 what ran out: `requests` or `tokens`. */
    readonly type: string;
    /** Path of the field at fault. */
    readonly param: string | null;
    /** Machine-readable code. Null if the status is sufficient. */
    readonly code: string | null;
  };
}

/** The body of a successful response, by endpoint. */
export interface ResponseBodies {
  readonly 'chat.completions.create': ChatCompletion;
  readonly 'chat.completions.list': ChatCompletionList;
  readonly 'chat.completions.retrieve': StoredChatCompletion;
  readonly 'chat.completions.update': StoredChatCompletion;
  readonly 'chat.completions.delete': ChatCompletionDeleted;
  readonly 'chat.completions.messages.list': ChatCompletionMessageList;
  readonly 'responses.create': ResponseObject;
  readonly 'responses.retrieve': ResponseObject;
  readonly 'responses.delete': ResponseDeleted;
  readonly 'responses.cancel': ResponseObject;
  readonly 'responses.input_items.list': ResponseItemList;
  readonly 'responses.input_tokens.count': ResponseInputTokens;
  readonly 'responses.compact': CompactedResponse;
  readonly 'conversations.create': Conversation;
  readonly 'conversations.retrieve': Conversation;
  readonly 'conversations.update': Conversation;
  readonly 'conversations.delete': ConversationDeleted;
  readonly 'conversations.items.create': ResponseItemList;
  readonly 'conversations.items.list': ResponseItemList;
  readonly 'conversations.items.retrieve': ResponseItem;
  readonly 'conversations.items.delete': Conversation;
  readonly 'messages.create': Message;
  readonly 'messages.count_tokens': MessageTokensCount;
  readonly 'messages.batches.create': MessageBatch;
  readonly 'messages.batches.list': MessageBatchList;
  readonly 'messages.batches.retrieve': MessageBatch;
  readonly 'messages.batches.cancel': MessageBatch;
  readonly 'messages.batches.delete': MessageBatchDeleted;
  readonly 'completions.create': TextCompletion;
  readonly 'embeddings.create': EmbeddingList;
  readonly 'moderations.create': Moderation;
  readonly 'batches.create': Batch;
  readonly 'batches.list': BatchList;
  readonly 'batches.retrieve': Batch;
  readonly 'batches.cancel': Batch;
  readonly 'datasets.create': Dataset;
  readonly 'datasets.rerun': DatasetRerun;
  readonly 'datasets.compare': DatasetComparison;
  readonly 'uploads.create': Upload;
  readonly 'uploads.parts.create': UploadPart;
  readonly 'uploads.complete': Upload;
  readonly 'uploads.cancel': Upload;
  readonly 'files.create': FileObject;
  readonly 'files.list': FileObjectList;
  readonly 'files.retrieve': FileObject;
  readonly 'files.delete': FileDeleted;
  readonly 'videos.create': Video;
  readonly 'videos.list': VideoList;
  readonly 'videos.retrieve': Video;
  readonly 'videos.delete': VideoDeleted;
  readonly 'videos.edit': Video;
  readonly 'videos.extend': Video;
  readonly 'videos.remix': Video;
  readonly 'models.list': ModelList;
  readonly 'models.retrieve': Model;
  readonly 'capabilities.retrieve': ModelCapabilities;
  readonly 'usage.completions': UsagePage;
  readonly 'organization.projects.list': ProjectList;
  readonly 'organization.projects.create': Project;
  readonly 'organization.projects.retrieve': Project;
  readonly 'organization.projects.update': Project;
  readonly 'organization.projects.archive': Project;
  readonly 'organization.projects.api_keys.list': ProjectApiKeyList;
  readonly 'organization.projects.api_keys.create': ProjectApiKeyWithValue;
  readonly 'organization.projects.api_keys.retrieve': ProjectApiKey;
  readonly 'organization.projects.api_keys.update': ProjectApiKey;
  readonly 'organization.projects.api_keys.rotate': ProjectApiKeyWithValue;
  readonly 'organization.projects.api_keys.delete': ProjectApiKeyDeleted;
  readonly 'organization.budgets.list': BudgetList;
  readonly 'organization.budgets.create': Budget;
  readonly 'organization.budgets.retrieve': Budget;
  readonly 'organization.budgets.update': Budget;
  readonly 'organization.budgets.reset': Budget;
  readonly 'organization.budgets.delete': BudgetDeleted;
  readonly 'organization.audit_logs.list': AuditLogList;
  readonly 'organization.request_logs.list': LoggedRequestList;
  readonly 'organization.request_logs.retrieve': LoggedRequest;
  readonly 'organization.costs': CostsPage;
  readonly 'organization.webhooks.list': WebhookList;
  readonly 'organization.webhooks.create': WebhookWithSecret;
  readonly 'organization.webhooks.retrieve': Webhook;
  readonly 'organization.webhooks.update': Webhook;
  readonly 'organization.webhooks.delete': WebhookDeleted;
  readonly 'organization.webhooks.rotate_secret': WebhookWithSecret;
  readonly 'organization.webhooks.deliveries.list': WebhookDeliveryList;
  readonly 'organization.webhooks.deliveries.retrieve': WebhookDelivery;
  readonly 'organization.webhooks.deliveries.redeliver': WebhookDelivery;
}

/** The events of a streamed response, by endpoint. */
export interface ResponseEvents {
  readonly 'chat.completions.create': ChatCompletionChunk;
  readonly 'chat.completions.resume': ChatCompletionChunk;
  readonly 'responses.create': ResponseStreamEvent;
  readonly 'responses.retrieve': ResponseStreamEvent;
  readonly 'messages.create': MessageStreamEvent;
  readonly 'completions.create': TextCompletion;
}
