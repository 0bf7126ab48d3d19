// Generated from the schemas by `npm run docs`. Do not edit.
import type { Open } from './open.ts';
import type { TextOrTokens } from './text-or-tokens.ts';

/** A request for replies to a conversation. */
export interface ChatCompletionCreateParamsBase {
  /** The conversation so far. */
  readonly messages: readonly ChatCompletionMessageParam[];
  /** ID of the model. */
  readonly model: string;
  /** Whether to store the completion, to be listed and read later. Default: `false`. */
  readonly store?: boolean | null;
  /** How much the model reasons before it replies. Models differ in the values they support. Default: `'medium'`. */
  readonly reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
  readonly metadata?: Metadata | null;
  readonly moderation?: ChatCompletionModerationParam | null;
  /** Tokens with less than this fraction of the highest probability are not chosen. From 0 to 1. Default: `0`. */
  readonly min_p?: number | null;
  /** Above 1, tokens that were used recently, in the prompt or the reply, are less likely. From 0.1 to 10. Default: `1`. */
  readonly repeat_penalty?: number | null;
  /** Only this many of the most likely tokens are chosen from; 0 for all. Default: `0`. */
  readonly top_k?: number | null;
  /** Only tokens of typical information, with this probability together, are chosen from; 1 for all. From 0 to 1. Default: `1`. */
  readonly typical_p?: number | null;
  /** Positive values make tokens less likely the more often they appeared. From -2 to 2. Default: `0`. */
  readonly frequency_penalty?: number | null;
  /** Positive values make tokens less likely that appeared at all. From -2 to 2. Default: `0`. */
  readonly presence_penalty?: number | null;
  /** Token IDs, each with a bias from -100 to 100 that is added to its logit. */
  readonly logit_bias?: Readonly<Record<string, number>> | null;
  /** Whether to return the log probability of each output token. Default: `false`. */
  readonly logprobs?: boolean | null;
  /** How many of the most likely tokens to return at each position. Requires `logprobs`. From 0 to 20. */
  readonly top_logprobs?: number | null;
  /** Deprecated. Maximum number of tokens of each choice. Replaced by `max_completion_tokens`. At least 1. */
  readonly max_tokens?: number | null;
  /** Maximum number of tokens of each choice, reasoning included. At least 1. */
  readonly max_completion_tokens?: number | null;
  /** Number of choices to generate. From 1 to 128. Default: `1`. */
  readonly n?: number | null;
  /** Types of output. Default: `['text']`. */
  readonly modalities?: readonly ('text' | 'audio')[] | null;
  /** Text that is expected in the reply. */
  readonly prediction?: ChatCompletionPrediction | null;
  /** Voice and format of spoken replies. Required when `modalities` includes `audio`. */
  readonly audio?: ChatCompletionAudioParam | null;
  /** Form of the reply. */
  readonly response_format?: ResponseFormat;
  /** Deprecated. Makes sampling repeatable, as far as the model allows. Any 64-bit integer. */
  readonly seed?: number | bigint | null;
  /** The processing tier of the request. `fast` is another name of `priority`. Default: `'auto'`. */
  readonly service_tier?: 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | null;
  /** Up to 4 sequences at which the reply stops. */
  readonly stop?: string | readonly string[] | null;
  /** Whether to send the reply as server-sent events. Default: `false`. */
  readonly stream?: boolean | null;
  /** Options of the stream. Requires `stream`. */
  readonly stream_options?: ChatCompletionStreamOptions | null;
  /** Sampling temperature: higher values are more random. Change this or `top_p`, not both. From 0 to 2. Default: `1`. */
  readonly temperature?: number | null;
  /** Probability mass of the tokens to sample from. Change this or `temperature`, not both. From 0 to 1. Default: `1`. */
  readonly top_p?: number | null;
  /** Tools that the model may call. */
  readonly tools?: readonly ChatCompletionTool[];
  /** Which tools the model calls. Default: `auto` with tools, `none` without. */
  readonly tool_choice?: ToolChoice;
  /** Whether the model may call several tools in one reply. Default: `true`. */
  readonly parallel_tool_calls?: boolean;
  /** A stable identifier of your user, preferably hashed. */
  readonly safety_identifier?: string | null;
  /** Groups requests with similar prompts for caching. */
  readonly prompt_cache_key?: string | null;
  /** How long a cached prompt is kept. */
  readonly prompt_cache_retention?: '24h' | 'in_memory' | null;
  readonly prompt_cache_options?: PromptCacheOptions | null;
  /** Deprecated. An identifier of your user. Replaced by `safety_identifier` and `prompt_cache_key`. */
  readonly user?: string;
  /** How detailed the reply is. Default: `'medium'`. */
  readonly verbosity?: 'low' | 'medium' | 'high' | null;
  readonly web_search_options?: WebSearchOptions;
  /** Deprecated. Which function the model calls. Replaced by `tool_choice`. */
  readonly function_call?: FunctionCallChoice;
  /** Deprecated. Functions that the model may call. Replaced by `tools`. */
  readonly functions?: readonly FunctionDefinition[];
}

/** A message of the conversation; `role` selects its form. */
export type ChatCompletionMessageParam =
  | ChatCompletionDeveloperMessageParam
  | ChatCompletionSystemMessageParam
  | ChatCompletionUserMessageParam
  | ChatCompletionAssistantMessageParam
  | ChatCompletionToolMessageParam
  | ChatCompletionFunctionMessageParam;

/** Instructions of the developer. Replaces `system` for newer models. */
export interface ChatCompletionDeveloperMessageParam {
  readonly role: 'developer';
  /** The text, as a string or as text parts. */
  readonly content: string | readonly ChatCompletionContentPartText[];
  /** Name of the participant, to tell apart participants of one role. */
  readonly name?: string;
}

/** Text. */
export interface ChatCompletionContentPartText {
  readonly type: 'text';
  /** The text. */
  readonly text: string;
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

/** The end of what later requests begin with. */
export interface PromptCacheBreakpoint {
  readonly mode: 'explicit';
  /** The shortest time for which the prompt is kept up to here. */
  readonly ttl?: '30m' | '12h';
}

/** Instructions of the developer. */
export interface ChatCompletionSystemMessageParam {
  readonly role: 'system';
  /** The text, as a string or as text parts. */
  readonly content: string | readonly ChatCompletionContentPartText[];
  /** Name of the participant, to tell apart participants of one role. */
  readonly name?: string;
}

/** A message of the user. */
export interface ChatCompletionUserMessageParam {
  readonly role: 'user';
  /** The text, or content parts. */
  readonly content: string | readonly ChatCompletionContentPart[];
  /** Name of the participant, to tell apart participants of one role. */
  readonly name?: string;
}

/** A part of the content of a user message. */
export type ChatCompletionContentPart =
  | ChatCompletionContentPartText
  | ChatCompletionContentPartImage
  | ChatCompletionContentPartInputAudio
  | ChatCompletionContentPartFile;

/** An image. */
export interface ChatCompletionContentPartImage {
  readonly type: 'image_url';
  /** The image. */
  readonly image_url: {
    /** URL of an image, or a data URL with the image in base64. */
    readonly url: string;
    /** Detail in which the model sees the image. Default: `'auto'`. */
    readonly detail?: 'auto' | 'low' | 'high' | 'original';
  };
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

/** Audio. */
export interface ChatCompletionContentPartInputAudio {
  readonly type: 'input_audio';
  /** The audio. */
  readonly input_audio: {
    /** The audio in base64, bare or as a data URL. */
    readonly data: string;
    /** Format of the audio. */
    readonly format: 'wav' | 'mp3';
  };
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

/** A file. */
export interface ChatCompletionContentPartFile {
  readonly type: 'file';
  /** The file: exactly one of `file_id` and `file_data`. */
  readonly file: {
    /** The file in base64. */
    readonly file_data?: string;
    /** ID of an uploaded file. */
    readonly file_id?: string;
    /** Name of the file. */
    readonly filename?: string;
  };
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

/** An earlier reply of the model. Unknown fields are ignored. */
export interface ChatCompletionAssistantMessageParam {
  readonly role: 'assistant';
  /** Required unless there are tool calls: a string, text parts, or exactly one refusal part. */
  readonly content?: string | readonly ChatCompletionAssistantContentPart[] | null;
  /** Text with which the model refused. */
  readonly refusal?: string | null;
  /** Name of the participant, to tell apart participants of one role. */
  readonly name?: string;
  /** The audio of an earlier reply. */
  readonly audio?: {
    /** ID of the audio. */
    readonly id: string;
  } | null;
  /** The tool calls of the reply. An empty list counts as absent. */
  readonly tool_calls?: readonly ChatCompletionToolCall[];
  /** Deprecated. A call of a function. Replaced by `tool_calls`. */
  readonly function_call?: FunctionCall | null;
  /** Accepted and ignored, so that a generated message can be sent back. */
  readonly annotations?: readonly UrlCitationAnnotation[];
  /** The reasoning of the reply, for models that take it. Ignored for others. */
  readonly reasoning_content?: string | null;
  /** What a generated message has from the provider of the model, such as signatures of reasoning. Send it back unchanged. */
  readonly provider_metadata?: Readonly<Record<string, unknown>>;
}

export type ChatCompletionAssistantContentPart = ChatCompletionContentPartText | ChatCompletionContentPartRefusal;

/** A refusal. */
export interface ChatCompletionContentPartRefusal {
  readonly type: 'refusal';
  /** Text with which the model refused. */
  readonly refusal: string;
}

/** A tool call of an earlier reply. */
export type ChatCompletionToolCall =
  | {
      /** ID of the call, for the `tool_call_id` of its result. */
      readonly id: string;
      readonly type: 'function';
      /** A call of a function. */
      readonly function: FunctionCall;
    }
  | {
      /** ID of the call, for the `tool_call_id` of its result. */
      readonly id: string;
      readonly type: 'custom';
      /** A call of a custom tool. */
      readonly custom: {
        /** Name of the tool. */
        readonly name: string;
        /** The input, as the model wrote it. */
        readonly input: string;
      };
    };

/** A call of a function. */
export interface FunctionCall {
  /** Name of the tool. */
  readonly name: string;
  /** The arguments in JSON, as the model wrote them: check them before use. */
  readonly arguments: string;
}

/** A source of the text. */
export interface UrlCitationAnnotation {
  /** Type of the annotation. */
  readonly type: Open<'url_citation'>;
  /** The source. */
  readonly url_citation?: {
    /** First character of the text that the source supports. */
    readonly start_index: number;
    /** Last character of that text. */
    readonly end_index: number;
    /** Title of the page. */
    readonly title: string;
    /** Address of the page. */
    readonly url: string;
  };
}

/** The result of a tool call. */
export interface ChatCompletionToolMessageParam {
  readonly role: 'tool';
  /** The text, as a string or as text parts. */
  readonly content: string | readonly ChatCompletionContentPartText[];
  /** ID of the tool call that this is the result of. */
  readonly tool_call_id: string;
  /** Name of the tool. Accepted and ignored: `tool_call_id` identifies the call. */
  readonly name?: string;
}

/** Deprecated. The result of a function call. Replaced by `tool` messages. */
export interface ChatCompletionFunctionMessageParam {
  readonly role: 'function';
  /** The result. */
  readonly content: string | null;
  /** Name of the function. */
  readonly name: string;
}

/** Up to 16 key-value pairs of your own. Keys have at most 64 characters, values at most 512. */
export type Metadata = Readonly<Record<string, string>>;

/** Moderates the messages and the reply. */
export interface ChatCompletionModerationParam {
  /** ID of the moderation model. */
  readonly model: string;
  /** What follows from the results. Default: they are reported. */
  readonly policy?: {
    /** Of the messages. Default: `score`. */
    readonly input?: {
      /** `score`: the result is reported. `block`: what is flagged is also refused or withheld. */
      readonly mode: 'score' | 'block';
    } | null;
    /** Of the reply. Default: `score`. */
    readonly output?: {
      /** `score`: the result is reported. `block`: what is flagged is also refused or withheld. */
      readonly mode: 'score' | 'block';
    } | null;
  } | null;
}

/** Text that is expected in the reply. */
export interface ChatCompletionPrediction {
  readonly type: 'content';
  /** The expected text. */
  readonly content: string | readonly ChatCompletionContentPartText[];
}

/** Voice and format of spoken replies. */
export interface ChatCompletionAudioParam {
  /** The voice: one of the built-in voices, or a custom voice. */
  readonly voice:
    | 'alloy'
    | 'ash'
    | 'ballad'
    | 'cedar'
    | 'coral'
    | 'echo'
    | 'fable'
    | 'marin'
    | 'nova'
    | 'onyx'
    | 'sage'
    | 'shimmer'
    | 'verse'
    | {
        /** ID of a custom voice. */
        readonly id: string;
      };
  /** Format of the audio. */
  readonly format: 'wav' | 'aac' | 'mp3' | 'flac' | 'opus' | 'pcm16';
}

/** Form of the reply. */
export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      /** The schema that the reply follows. */
      readonly json_schema: {
        /** A name of letters, digits, underscores and dashes; at most 64 characters. */
        readonly name: string;
        /** What it is for, so that the model knows when and how to use it. */
        readonly description?: string;
        /** JSON Schema of the reply. */
        readonly schema?: Readonly<Record<string, unknown>>;
        /** Whether the reply follows `schema` exactly. Default: `false`. */
        readonly strict?: boolean | null;
      };
    };

/** Options of a stream. */
export interface ChatCompletionStreamOptions {
  /** Whether random characters pad events to similar sizes. Default: `true`. */
  readonly include_obfuscation?: boolean;
  /** Whether a last chunk reports the tokens of the whole request. */
  readonly include_usage?: boolean;
  /** Whether the stream can be resumed after a dropped connection: each event has an `id`, and the reply is generated to its end. Streams with an `Idempotency-Key` or `store` can be resumed in any case. Default: `false`. */
  readonly resumable?: boolean;
}

/** A tool that the model may call. */
export type ChatCompletionTool = ChatCompletionFunctionTool | ChatCompletionCustomTool;

/** A tool that is called with JSON arguments. */
export interface ChatCompletionFunctionTool {
  readonly type: 'function';
  /** The function. */
  readonly function: {
    /** A name of letters, digits, underscores and dashes; at most 64 characters. */
    readonly name: string;
    /** What it is for, so that the model knows when and how to use it. */
    readonly description?: string;
    /** JSON Schema of the arguments. Without it the function has none. */
    readonly parameters?: Readonly<Record<string, unknown>>;
    /** Whether calls follow `parameters` exactly. Default: `false`. */
    readonly strict?: boolean | null;
  };
}

/** A tool that is called with text. */
export interface ChatCompletionCustomTool {
  readonly type: 'custom';
  /** The tool. */
  readonly custom: {
    /** A name of letters, digits, underscores and dashes; at most 64 characters. */
    readonly name: string;
    /** What it is for, so that the model knows when and how to use it. */
    readonly description?: string;
    /** Form of the input. Default: any text. */
    readonly format?: CustomToolFormat;
  };
}

export type CustomToolFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'grammar';
      /** The grammar that the input follows. */
      readonly grammar: {
        /** The grammar. */
        readonly definition: string;
        /** Syntax of the grammar. */
        readonly syntax: 'lark' | 'regex';
      };
    };

/** Which tools the model calls. */
export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | NamedFunctionToolChoice
  | NamedCustomToolChoice
  | {
      readonly type: 'allowed_tools';
      /** Which tools the model may call. */
      readonly allowed_tools: {
        /** `auto`: the model decides whether to call. `required`: it calls. */
        readonly mode: 'auto' | 'required';
        /** The tools that it may call. */
        readonly tools: readonly (NamedFunctionToolChoice | NamedCustomToolChoice)[];
      };
    };

/** One function. */
export interface NamedFunctionToolChoice {
  readonly type: 'function';
  /** The function. */
  readonly function: {
    /** Name of the tool. */
    readonly name: string;
  };
}

/** One custom tool. */
export interface NamedCustomToolChoice {
  readonly type: 'custom';
  /** The custom tool. */
  readonly custom: {
    /** Name of the tool. */
    readonly name: string;
  };
}

/** How the prompt is cached. */
export interface PromptCacheOptions {
  /** `explicit`: only up to breakpoints in the messages; without one, no cache is used. Default: `'implicit'`. */
  readonly mode?: 'implicit' | 'explicit';
  /** The shortest time for which the prompt is kept. */
  readonly ttl?: '30m';
}

/** Looks the question up on the web before the reply. */
export interface WebSearchOptions {
  /** How much of the search results to use. Default: `'medium'`. */
  readonly search_context_size?: 'low' | 'medium' | 'high';
  /** Where the user is. */
  readonly user_location?: {
    readonly type?: 'approximate';
    /** The location, as far as it is known. */
    readonly approximate: {
      /** Name of the city. */
      readonly city?: string;
      /** Two-letter ISO country code. */
      readonly country?: string;
      /** Name of the region. */
      readonly region?: string;
      /** IANA time zone. */
      readonly timezone?: string;
    };
  } | null;
}

export type FunctionCallChoice =
  | 'none'
  | 'auto'
  | {
      /** Name of the tool. */
      readonly name: string;
    };

/** A function that the model may call. */
export interface FunctionDefinition {
  /** A name of letters, digits, underscores and dashes; at most 64 characters. */
  readonly name: string;
  /** What it is for, so that the model knows when and how to use it. */
  readonly description?: string;
  /** JSON Schema of the arguments. Without it the function has none. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface ChatCompletionListParams {
  /** Read in this project in place of that of the key, or in all projects if it is `*`. Other projects need a key with the role `admin`. */
  readonly project_id?: string;
  /** Return only completions of this model. */
  readonly model?: string;
  /** Return only completions whose metadata has these pairs, written `metadata[key]=value`. */
  readonly metadata?: Metadata;
  /** Return only completions that the key with this ID created. */
  readonly api_key_id?: string;
  /** Return only completions whose first choice has this `finish_reason`, such as `length`. */
  readonly finish_reason?: string;
  /** Return only completions that have all of these words in their prompt, reply or tool calls. `"Several words"` in quotes follow each other, and `start*` finds the start of words. Case and accents make no difference. */
  readonly search?: string;
  /** Return only completions created from this time on, in Unix seconds (inclusive). */
  readonly start_time?: number;
  /** Return only completions created before this time, in Unix seconds (exclusive). */
  readonly end_time?: number;
  /** How much of each completion to return. `summary` leaves out what can be large: `choices` is empty, `tools`, `tool_choice` and `response_format` are absent, and `excerpt` has the start of the reply. Default: `'full'`. */
  readonly view?: 'full' | 'summary';
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
  /** Sort order by time of creation. Default: `'asc'`. */
  readonly order?: 'asc' | 'desc';
}

export interface ChatCompletionRetrieveParams {
  /** Read in this project in place of that of the key, or in all projects if it is `*`. Other projects need a key with the role `admin`. */
  readonly project_id?: string;
  /** What to return in addition. `request_parameters`: the parameters of the request that have no field of their own. */
  readonly include?: readonly 'request_parameters'[];
}

/** What changes in a stored completion. */
export interface ChatCompletionUpdateParams {
  /** Up to 16 key-value pairs of your own. Keys have at most 64 characters, values at most 512. */
  readonly metadata: Metadata;
}

export interface ChatCompletionResumeParams {
  /** The `id` of the last event that was received. Default: the stream is sent from its start. */
  readonly starting_after?: number;
}

export type ChatCompletionMessageListParams = Pick<
  ChatCompletionListParams,
  'project_id' | 'after' | 'limit' | 'order'
>;

/** A request for a response of a model. */
export interface ResponseCreateParamsBase {
  /** ID of the model. */
  readonly model: string;
  readonly input?: string | readonly ResponseInputItem[];
  /** A system message in front of the input. Not inherited from `previous_response_id`. */
  readonly instructions?: string;
  /** ID of a stored response that this one continues. Not together with `conversation`. */
  readonly previous_response_id?: string;
  /** The conversation whose items precede the input, and to which input and output are added. */
  readonly conversation?:
    | string
    | {
        /** ID of the conversation. */
        readonly id: string;
      };
  /** Whether to store the response, to be retrieved or continued later. Default: `true`. */
  readonly store?: boolean;
  /** Whether to generate the response in the background. Default: `false`. */
  readonly background?: boolean;
  /** Whether to send the response as server-sent events. Default: `false`. */
  readonly stream?: boolean;
  /** Options of the stream. */
  readonly stream_options?: {
    /** Whether random characters pad events to similar sizes. Default: `true`. */
    readonly include_obfuscation?: boolean;
  };
  /** What else to return. Values other than `message.output_text.logprobs`, `reasoning.encrypted_content` and `web_search_call.action.sources` have no effect. */
  readonly include?: readonly (
    | 'message.output_text.logprobs'
    | 'reasoning.encrypted_content'
    | 'web_search_call.action.sources'
    | 'web_search_call.results'
    | 'file_search_call.results'
    | 'code_interpreter_call.outputs'
    | 'computer_call_output.output.image_url'
    | 'message.input_image.image_url'
  )[];
  /** Maximum number of tokens of the output, reasoning included. At least 16. */
  readonly max_output_tokens?: number;
  /** Maximum number of calls of tools that the server runs. At least 1. */
  readonly max_tool_calls?: number;
  readonly metadata?: Metadata;
  /** Whether the model may call several tools. Default: `true`. */
  readonly parallel_tool_calls?: boolean;
  /** Sampling temperature: higher values are more random. From 0 to 2. Default: `1`. */
  readonly temperature?: number;
  /** Probability mass of the tokens to sample from. From 0 to 1. Default: `1`. */
  readonly top_p?: number;
  /** How many of the most likely tokens to return, with `include: ["message.output_text.logprobs"]`. From 0 to 20. */
  readonly top_logprobs?: number;
  /** Positive values make tokens less likely that appeared at all. From -2 to 2. Default: `0`. */
  readonly presence_penalty?: number;
  /** Positive values make tokens less likely the more often they appeared. From -2 to 2. Default: `0`. */
  readonly frequency_penalty?: number;
  /** How the model reasons. */
  readonly reasoning?: {
    /** How much the model reasons. Models differ in the values they support. */
    readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
    /** Gives reasoning as a summary instead of as text. */
    readonly summary?: 'auto' | 'concise' | 'detailed';
    /** Deprecated. Replaced by `summary`. */
    readonly generate_summary?: 'auto' | 'concise' | 'detailed';
    /** Accepted and ignored. */
    readonly context?: 'auto' | 'current_turn' | 'all_turns';
    /** Accepted and ignored. */
    readonly mode?: 'standard' | 'pro';
  };
  /** Form of the reply. */
  readonly text?: {
    readonly format?: ResponseTextFormat;
    /** How detailed the reply is. Default: `'medium'`. */
    readonly verbosity?: 'low' | 'medium' | 'high';
  };
  /** Tools that the model may call. */
  readonly tools?: readonly ResponseTool[];
  readonly tool_choice?: ResponseToolChoice;
  /** What happens to input that exceeds the context of the model: `auto` drops the oldest turns until it fits, `disabled` fails. Default: `'disabled'`. */
  readonly truncation?: 'auto' | 'disabled';
  /** The processing tier of the request. Default: `'auto'`. */
  readonly service_tier?: 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast';
  /** Groups requests with similar prompts for caching. */
  readonly prompt_cache_key?: string;
  /** How long a cached prompt is kept. */
  readonly prompt_cache_retention?: '24h' | 'in_memory';
  readonly prompt_cache_options?: PromptCacheOptions;
  readonly moderation?: ChatCompletionModerationParam;
  /** What a client says about itself. Accepted with no effect: neither stored nor passed on. */
  readonly client_metadata?: Readonly<Record<string, string>>;
  /** A stable identifier of your user, preferably hashed. */
  readonly safety_identifier?: string;
  /** Deprecated. An identifier of your user. Replaced by `safety_identifier` and `prompt_cache_key`. */
  readonly user?: string;
}

/** An item of the input; `type` selects its form. Unknown fields are ignored. */
export type ResponseInputItem =
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
  | ResponseItemReference;

/** A message of the user, or instructions of the developer. */
export interface ResponseInputMessage {
  readonly type?: 'message';
  /** Role of the author. `system` is the same as `developer`. */
  readonly role: 'user' | 'system' | 'developer';
  /** The text, or content parts. */
  readonly content: string | readonly ResponseInputContent[];
  /** ID of the item, where it has one. */
  readonly id?: string;
  /** Accepted and ignored. */
  readonly status?: string;
}

/** A part of an input message. */
export type ResponseInputContent = ResponseInputText | ResponseInputImage | ResponseInputFile;

/** Text. */
export interface ResponseInputText {
  readonly type: 'input_text';
  /** The text. */
  readonly text: string;
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

/** An image. */
export interface ResponseInputImage {
  readonly type: 'input_image';
  /** URL of an image, or a data URL with the image in base64. Exactly one of this and `file_id`. */
  readonly image_url?: string;
  /** ID of an uploaded file. */
  readonly file_id?: string;
  /** Detail in which the model sees it. Default: `'auto'`. */
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

/** A file. */
export interface ResponseInputFile {
  readonly type: 'input_file';
  /** The file in base64, bare or as a data URL. Exactly one of this and `file_id`. */
  readonly file_data?: string;
  /** ID of an uploaded file. */
  readonly file_id?: string;
  /** Refused: this server downloads no files. */
  readonly file_url?: string;
  /** Name of the file. */
  readonly filename?: string;
  /** Detail in which the model sees it. Default: `'auto'`. */
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

/** An earlier reply of the model. */
export interface ResponseAssistantMessage {
  readonly type?: 'message';
  readonly role: 'assistant';
  /** The text, or its parts. */
  readonly content:
    | string
    | readonly (
        | {
            readonly type: 'output_text';
            /** The text. */
            readonly text: string;
            /** Accepted and ignored. */
            readonly annotations?: readonly unknown[];
            /** Accepted and ignored. */
            readonly logprobs?: readonly unknown[];
          }
        | {
            readonly type: 'refusal';
            /** The refusal. */
            readonly refusal: string;
          }
        | ResponseInputText
      )[];
  /** ID of the item, where it has one. */
  readonly id?: string;
  /** Accepted and ignored. */
  readonly status?: string;
  /** Accepted and ignored. */
  readonly phase?: 'commentary' | 'final_answer';
}

/** A call of a function in an earlier response. */
export interface ResponseFunctionCallParam {
  readonly type: 'function_call';
  /** Names the call in the item with its output. */
  readonly call_id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Namespace of the tool, where it has one. */
  readonly namespace?: string;
  /** The arguments in JSON. */
  readonly arguments: string;
  /** ID of the item, where it has one. */
  readonly id?: string;
  /** Accepted and ignored. */
  readonly status?: string;
}

/** The output of a function. */
export interface ResponseFunctionCallOutput {
  readonly type: 'function_call_output';
  /** Names the call in the item with its output. */
  readonly call_id: string;
  /** What the tool returned: text or content parts. */
  readonly output: string | readonly ResponseInputContent[];
  /** ID of the item, where it has one. */
  readonly id?: string;
  /** Accepted and ignored. */
  readonly status?: string;
}

/** A call of a custom tool in an earlier response. */
export interface ResponseCustomToolCallParam extends Pick<
  ResponseFunctionCallParam,
  'call_id' | 'name' | 'namespace' | 'id' | 'status'
> {
  readonly type: 'custom_tool_call';
  /** The input. */
  readonly input: string;
}

/** The output of a custom tool. */
export interface ResponseCustomToolCallOutput extends Pick<
  ResponseFunctionCallOutput,
  'call_id' | 'output' | 'id' | 'status'
> {
  readonly type: 'custom_tool_call_output';
}

/** Reasoning of an earlier response. */
export interface ResponseReasoningParam {
  readonly type: 'reasoning';
  /** ID of the item, where it has one. */
  readonly id?: string;
  /** Its summary. */
  readonly summary?: readonly ResponseSummaryText[];
  /** Its text. */
  readonly content?: readonly ResponseReasoningText[];
  /** The encrypted content, as returned by the server. */
  readonly encrypted_content?: string;
  /** Accepted and ignored. */
  readonly status?: string;
}

/** A summary of reasoning. */
export interface ResponseSummaryText {
  readonly type: 'summary_text';
  /** The summary. */
  readonly text: string;
}

/** Reasoning of the model. */
export interface ResponseReasoningText {
  readonly type: 'reasoning_text';
  /** The reasoning. */
  readonly text: string;
}

/** A web search of an earlier response. It is not passed to the model again. */
export interface ResponseWebSearchCallParam {
  readonly type: 'web_search_call';
  /** The search. */
  readonly action?: Readonly<Record<string, unknown>>;
  /** ID of the item, where it has one. */
  readonly id?: string;
  /** Accepted and ignored. */
  readonly status?: string;
}

/** The compacted beginning of a conversation. */
export interface ResponseCompactionParam {
  readonly type: 'compaction';
  /** ID of the item, where it has one. */
  readonly id?: string;
  /** The encrypted content, as returned by the server. */
  readonly encrypted_content: string;
}

/** Tools that are added to `tools`. */
export interface ResponseAdditionalTools {
  readonly type: 'additional_tools';
  /** The tools. */
  readonly tools: readonly ResponseTool[];
  /** ID of the item, where it has one. */
  readonly id?: string;
}

/** A tool that the model may call; `type` selects its form. */
export type ResponseTool =
  ResponseFunctionTool | ResponseCustomTool | ResponseNamespaceTool | ResponseWebSearchTool | ResponseHostedTool;

/** A tool that is called with JSON arguments. Unknown fields are ignored. */
export interface ResponseFunctionTool {
  readonly type: 'function';
  /** A name of letters, digits, underscores and dashes; at most 64 characters. */
  readonly name: string;
  /** What it is for, so that the model knows when and how to use it. */
  readonly description?: string;
  /** JSON Schema of the arguments. Without it the function has none. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Whether calls follow `parameters` exactly. Default: `false`. */
  readonly strict?: boolean;
}

/** A tool that is called with text. Unknown fields are ignored. */
export interface ResponseCustomTool {
  readonly type: 'custom';
  /** A name of letters, digits, underscores and dashes; at most 64 characters. */
  readonly name: string;
  /** What it is for, so that the model knows when and how to use it. */
  readonly description?: string;
  /** Form of the input. Default: any text. */
  readonly format?:
    | { readonly type: 'text' }
    | {
        readonly type: 'grammar';
        /** The grammar. */
        readonly definition: string;
        /** Syntax of the grammar. */
        readonly syntax: 'lark' | 'regex';
      };
}

/** A group of tools. */
export interface ResponseNamespaceTool {
  readonly type: 'namespace';
  /** A name of letters, digits, underscores and dashes; at most 64 characters. */
  readonly name: string;
  /** What it is for, so that the model knows when and how to use it. */
  readonly description?: string;
  /** The tools. Their calls carry the name of the group in `namespace`. */
  readonly tools: readonly (ResponseFunctionTool | ResponseCustomTool)[];
}

/** Looks the question up on the web before the reply. Unknown fields are ignored. */
export interface ResponseWebSearchTool {
  /** `web_search`, or an older name of it. */
  readonly type: 'web_search' | 'web_search_2025_08_26' | 'web_search_preview' | 'web_search_preview_2025_03_11';
  /** How much of the search results to use. Default: `'medium'`. */
  readonly search_context_size?: 'low' | 'medium' | 'high';
  /** Where the user is. */
  readonly user_location?: {
    readonly type?: 'approximate';
    /** Name of the city. */
    readonly city?: string;
    /** Two-letter ISO country code. */
    readonly country?: string;
    /** Name of the region. */
    readonly region?: string;
    /** IANA time zone. */
    readonly timezone?: string;
  };
  /** Bounds of the search. */
  readonly filters?: {
    /** Domains to search. */
    readonly allowed_domains?: readonly string[];
  };
  /** False: only content that was fetched before; such a search is not available. Default: `true`. */
  readonly external_web_access?: boolean;
}

/** A tool of a hosted service, which this server does not run: the model does not see it. See `hostedTools`. */
export interface ResponseHostedTool {
  /** Type of the tool. */
  readonly type:
    | 'apply_patch'
    | 'code_interpreter'
    | 'computer'
    | 'computer_use_preview'
    | 'file_search'
    | 'image_generation'
    | 'local_shell'
    | 'mcp'
    | 'programmatic_tool_calling'
    | 'shell'
    | 'tool_search';
}

/** An item of a tool that this server does not run. The model does not see it, unless an upstream with `/responses` generates the response. Unknown fields are kept. */
export type ResponseHostedItem =
  | {
      readonly type: 'file_search_call';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** What was searched for. */
      readonly queries?: readonly string[];
      readonly results?: readonly unknown[];
    }
  | {
      readonly type: 'computer_call';
      /** ID of the item, where it has one. */
      readonly id?: string;
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
      /** ID of the item, where it has one. */
      readonly id?: string;
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
      /** ID of the item, where it has one. */
      readonly id?: string;
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
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** The image in base64. */
      readonly result?: string;
    }
  | {
      readonly type: 'mcp_list_tools';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** Label of the MCP server. */
      readonly server_label: string;
      /** The tools. */
      readonly tools: readonly unknown[];
    }
  | {
      readonly type: 'mcp_approval_request';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** Label of the MCP server. */
      readonly server_label: string;
      /** Name of the tool. */
      readonly name: string;
      /** The arguments in JSON. */
      readonly arguments: string;
    }
  | {
      readonly type: 'mcp_approval_response';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** ID of the item with the call. */
      readonly approval_request_id: string;
      /** Whether the call is approved. */
      readonly approve: boolean;
      /** Why. */
      readonly reason?: string;
    }
  | {
      readonly type: 'mcp_call';
      /** ID of the item, where it has one. */
      readonly id?: string;
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
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The command. */
      readonly action: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'local_shell_call_output';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** The output in JSON. */
      readonly output: string;
    }
  | {
      readonly type: 'shell_call';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The commands. */
      readonly action: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'shell_call_output';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The output of each command. */
      readonly output: readonly unknown[];
    }
  | {
      readonly type: 'apply_patch_call';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The change. */
      readonly operation: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'apply_patch_call_output';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** What the change said. */
      readonly output?: string;
    }
  | {
      readonly type: 'tool_search_call';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      readonly call_id?: string;
      /** What was searched for. */
      readonly arguments: unknown;
    }
  | {
      readonly type: 'tool_search_output';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      readonly call_id?: string;
      /** The tools. */
      readonly tools: readonly unknown[];
    }
  | {
      readonly type: 'program';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The program. */
      readonly code: string;
    }
  | {
      readonly type: 'program_output';
      /** ID of the item, where it has one. */
      readonly id?: string;
      /** How far it is. */
      readonly status?: string;
      /** Names the call in the item with its output. */
      readonly call_id: string;
      /** The result. */
      readonly result: string;
    }
  | {
      readonly type: 'configuration_update';
      /** ID of the item, where it has one. */
      readonly id?: string;
      readonly reasoning?: Readonly<Record<string, unknown>>;
      readonly text?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'compaction_trigger';
      /** ID of the item, where it has one. */
      readonly id?: string;
    };

/** Stands for an item that this server stored. `type` may be left out. */
export interface ResponseItemReference {
  readonly type: 'item_reference';
  /** ID of the item. */
  readonly id: string;
}

/** Form of the reply. */
export type ResponseTextFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      /** A name of letters, digits, underscores and dashes; at most 64 characters. */
      readonly name: string;
      /** What it is for, so that the model knows when and how to use it. */
      readonly description?: string;
      /** JSON Schema of the reply. */
      readonly schema: Readonly<Record<string, unknown>>;
      /** Whether the reply follows `schema` exactly. Default: `false`. */
      readonly strict?: boolean;
    };

/** Which tools the model calls. */
export type ResponseToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | ResponseFunctionChoice
  | ResponseCustomChoice
  | {
      readonly type: 'allowed_tools';
      /** `auto`: the model decides whether to call. `required`: it calls. */
      readonly mode: 'auto' | 'required';
      /** The tools that it may call. */
      readonly tools: readonly (ResponseFunctionChoice | ResponseCustomChoice | ResponseHostedChoice)[];
    }
  | ResponseHostedChoice;

/** One function. */
export interface ResponseFunctionChoice {
  readonly type: 'function';
  /** Name of the tool. */
  readonly name: string;
  /** Namespace of the tool, where it has one. */
  readonly namespace?: string;
}

/** One custom tool. */
export interface ResponseCustomChoice {
  readonly type: 'custom';
  /** Name of the tool. */
  readonly name: string;
  /** Namespace of the tool, where it has one. */
  readonly namespace?: string;
}

/** A tool without a name, such as `web_search`. */
export interface ResponseHostedChoice {
  /** Type of the tool. */
  readonly type:
    | 'web_search'
    | 'web_search_2025_08_26'
    | 'web_search_preview'
    | 'web_search_preview_2025_03_11'
    | 'apply_patch'
    | 'code_interpreter'
    | 'computer'
    | 'computer_use_preview'
    | 'file_search'
    | 'image_generation'
    | 'local_shell'
    | 'mcp'
    | 'programmatic_tool_calling'
    | 'shell'
    | 'tool_search'
    | 'computer_use';
}

export interface ResponseRetrieveParams {
  /** Accepted and ignored: stored items are returned complete. */
  readonly include?: readonly (
    | 'message.output_text.logprobs'
    | 'reasoning.encrypted_content'
    | 'web_search_call.action.sources'
    | 'web_search_call.results'
    | 'file_search_call.results'
    | 'code_interpreter_call.outputs'
    | 'computer_call_output.output.image_url'
    | 'message.input_image.image_url'
  )[];
  /** Streams the events of a background response that was created with `stream`, also while it runs. Default: `false`. */
  readonly stream?: boolean;
  /** Only events with a greater sequence number. Only with `stream`. */
  readonly starting_after?: number;
  /** Whether random characters pad events to similar sizes. Default: `true`. */
  readonly include_obfuscation?: boolean;
}

export interface ResponseItemListParams {
  /** Accepted and ignored: stored items are returned complete. */
  readonly include?: readonly (
    | 'message.output_text.logprobs'
    | 'reasoning.encrypted_content'
    | 'web_search_call.action.sources'
    | 'web_search_call.results'
    | 'file_search_call.results'
    | 'code_interpreter_call.outputs'
    | 'computer_call_output.output.image_url'
    | 'message.input_image.image_url'
  )[];
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
  /** Sort order by time of creation. Default: `'desc'`. */
  readonly order?: 'asc' | 'desc';
}

/** An input whose tokens are counted. */
export interface ResponseInputTokensParams extends Pick<
  ResponseCreateParamsBase,
  | 'input'
  | 'instructions'
  | 'previous_response_id'
  | 'conversation'
  | 'parallel_tool_calls'
  | 'reasoning'
  | 'text'
  | 'tools'
  | 'tool_choice'
  | 'truncation'
> {
  readonly model?: string;
  /** Accepted and ignored. */
  readonly personality?: string;
}

/** Items to replace by a summary. */
export type ResponseCompactParams = Pick<
  ResponseCreateParamsBase,
  | 'model'
  | 'input'
  | 'instructions'
  | 'previous_response_id'
  | 'store'
  | 'stream_options'
  | 'include'
  | 'max_output_tokens'
  | 'max_tool_calls'
  | 'metadata'
  | 'parallel_tool_calls'
  | 'temperature'
  | 'top_p'
  | 'top_logprobs'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'reasoning'
  | 'text'
  | 'tools'
  | 'tool_choice'
  | 'truncation'
  | 'service_tier'
  | 'prompt_cache_key'
  | 'prompt_cache_retention'
  | 'prompt_cache_options'
  | 'client_metadata'
  | 'safety_identifier'
  | 'user'
>;

/** A new conversation. */
export interface ConversationCreateParams {
  readonly metadata?: Metadata;
  /** The first items of the conversation. At most 20. */
  readonly items?: readonly ResponseInputItem[];
}

/** What changes in a conversation. */
export interface ConversationUpdateParams {
  /** Up to 16 key-value pairs of your own. Keys have at most 64 characters, values at most 512. */
  readonly metadata: Metadata;
}

/** Items to add to a conversation. */
export interface ConversationItemsCreateParams {
  /** The items to add. At most 20. */
  readonly items: readonly ResponseInputItem[];
}

export interface ConversationItemParams {
  /** Accepted and ignored: stored items are returned complete. */
  readonly include?: readonly (
    | 'message.output_text.logprobs'
    | 'reasoning.encrypted_content'
    | 'web_search_call.action.sources'
    | 'web_search_call.results'
    | 'file_search_call.results'
    | 'code_interpreter_call.outputs'
    | 'computer_call_output.output.image_url'
    | 'message.input_image.image_url'
  )[];
}

/** A request for a message of a model. */
export interface MessageCreateParams {
  /** ID of the model. */
  readonly model: string;
  /** The conversation so far. */
  readonly messages: readonly MessageParam[];
  /** Instructions: text, or blocks of text. */
  readonly system?: string | readonly MessageTextBlockParam[];
  /** Tools that the model may call. */
  readonly tools?: readonly (MessageTool | MessageHostedTool | MessageOtherTool)[];
  readonly tool_choice?: MessageToolChoice;
  /** How the model reasons. */
  readonly thinking?:
    | {
        readonly type: 'enabled';
        /** How much the model may reason. Becomes an effort. At least 1. */
        readonly budget_tokens: number;
        /** Whether the reply shows the reasoning. */
        readonly display?: 'summarized' | 'omitted';
      }
    | {
        readonly type: 'adaptive';
        /** Whether the reply shows the reasoning. */
        readonly display?: 'summarized' | 'omitted';
      }
    | { readonly type: 'between_tools' }
    | { readonly type: 'disabled' };
  /** Form of the reply. */
  readonly output_config?: {
    /** JSON Schema that the text of the reply follows. */
    readonly format?: {
      readonly type: 'json_schema';
      /** JSON Schema of the reply. */
      readonly schema: Readonly<Record<string, unknown>>;
    };
    /** How much the model reasons. Without effect for models without efforts. */
    readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  };
  /** An older place of `output_config.format`. */
  readonly output_format?: {
    readonly type: 'json_schema';
    /** JSON Schema of the reply. */
    readonly schema: Readonly<Record<string, unknown>>;
  };
  /** A hint for prompt caches, without effect on the reply. */
  readonly cache_control?: Readonly<Record<string, unknown>>;
  /** `fast` requests the priority tier. */
  readonly speed?: 'standard' | 'fast';
  /** The container in which tools of a hosted service run. For models of upstreams of this API; a 400 for others. */
  readonly container?: unknown;
  /** Servers whose tools a hosted service calls. For models of upstreams of this API; a 400 for others. */
  readonly mcp_servers?: unknown;
  /** The region in which a hosted service generates. For models of upstreams of this API; a 400 for others. */
  readonly inference_geo?: unknown;
  /** How a hosted service shortens the prompt. For models of upstreams of this API; a 400 for others. */
  readonly compaction?: unknown;
  /** Accepted with no effect: nothing is removed from the prompt. */
  readonly context_management?: Readonly<Record<string, unknown>>;
  /** Maximum number of tokens of the reply, reasoning included. 0 only reads the prompt. */
  readonly max_tokens: number;
  /** Whether to send the message as server-sent events. Default: `false`. */
  readonly stream?: boolean;
  /** Texts at which the reply ends. */
  readonly stop_sequences?: readonly string[];
  /** Sampling temperature: higher values are more random. From 0 to 2. Default: `1`. */
  readonly temperature?: number;
  /** Probability mass of the tokens to sample from. From 0 to 1. Default: `1`. */
  readonly top_p?: number;
  /** Only this many of the most likely tokens are chosen from; 0 for all. */
  readonly top_k?: number;
  /** About the request. */
  readonly metadata?: {
    /** An opaque identifier of your user. */
    readonly user_id?: string;
  };
  /** The processing tier of the request. Default: `'auto'`. */
  readonly service_tier?: 'auto' | 'standard_only';
  /** Accepted with no effect. */
  readonly diagnostics?: Readonly<Record<string, unknown>>;
}

/** A message of the conversation; `role` selects its form. */
export type MessageParam = MessageUserParam | MessageAssistantParam | MessageSystemParam;

/** A message of the user, or the results of tools. */
export interface MessageUserParam {
  readonly role: 'user';
  /** The text, or blocks. */
  readonly content: string | readonly (MessageUserBlockParam | MessageOtherBlockParam)[];
}

/** A block of a message of the user. */
export type MessageUserBlockParam =
  | MessageTextBlockParam
  | MessageImageBlockParam
  | MessageDocumentBlockParam
  | MessageSearchResultBlockParam
  | MessageToolResultBlockParam;

/** Text. */
export interface MessageTextBlockParam {
  readonly type: 'text';
  /** The text. */
  readonly text: string;
  /** A hint for prompt caches, without effect on the reply. */
  readonly cache_control?: Readonly<Record<string, unknown>>;
  /** Accepted and ignored. */
  readonly citations?: readonly unknown[];
}

/** An image. */
export interface MessageImageBlockParam {
  readonly type: 'image';
  /** Where the image is. */
  readonly source:
    | {
        readonly type: 'base64';
        /** Its format. */
        readonly media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
        /** The contents in base64. */
        readonly data: string;
      }
    | {
        readonly type: 'url';
        /** URL of an image. */
        readonly url: string;
      }
    | {
        readonly type: 'file';
        /** ID of an uploaded file. */
        readonly file_id: string;
      };
  /** A hint for prompt caches, without effect on the reply. */
  readonly cache_control?: Readonly<Record<string, unknown>>;
}

/** A document. */
export interface MessageDocumentBlockParam {
  readonly type: 'document';
  /** Where the document is. */
  readonly source:
    | {
        readonly type: 'base64';
        readonly media_type: 'application/pdf';
        /** The contents in base64. */
        readonly data: string;
      }
    | {
        readonly type: 'text';
        readonly media_type: 'text/plain';
        /** The text. */
        readonly data: string;
      }
    | {
        readonly type: 'content';
        /** Text, or blocks of text and images. */
        readonly content: string | readonly (MessageTextBlockParam | MessageImageBlockParam)[];
      }
    | {
        readonly type: 'url';
        /** Its URL. */
        readonly url: string;
      }
    | {
        readonly type: 'file';
        /** ID of an uploaded file. */
        readonly file_id: string;
      };
  /** Title of the document. */
  readonly title?: string;
  /** What the document is about. */
  readonly context?: string;
  /** Accepted; replies cite the results of a web search only. */
  readonly citations?: Readonly<Record<string, unknown>>;
  /** A hint for prompt caches, without effect on the reply. */
  readonly cache_control?: Readonly<Record<string, unknown>>;
}

/** A search result. */
export interface MessageSearchResultBlockParam {
  readonly type: 'search_result';
  /** Where it was found. */
  readonly source: string;
  /** Its title. */
  readonly title: string;
  /** Its text. */
  readonly content: readonly MessageTextBlockParam[];
  /** Accepted; replies cite the results of a web search only. */
  readonly citations?: Readonly<Record<string, unknown>>;
  /** A hint for prompt caches, without effect on the reply. */
  readonly cache_control?: Readonly<Record<string, unknown>>;
}

/** The result of a tool. */
export interface MessageToolResultBlockParam {
  readonly type: 'tool_result';
  /** Names the call. */
  readonly tool_use_id: string;
  /** What the tool returned: text or blocks. */
  readonly content?:
    | string
    | readonly (
        | MessageTextBlockParam
        | MessageImageBlockParam
        | MessageDocumentBlockParam
        | MessageSearchResultBlockParam
        | {
            readonly type: 'tool_reference';
            /** Name of the tool. */
            readonly tool_name: string;
            /** A hint for prompt caches, without effect on the reply. */
            readonly cache_control?: Readonly<Record<string, unknown>>;
          }
      )[];
  /** Whether the tool failed. Default: `false`. */
  readonly is_error?: boolean;
  /** Accepted and ignored. */
  readonly toolset_name?: string;
  /** A hint for prompt caches, without effect on the reply. */
  readonly cache_control?: Readonly<Record<string, unknown>>;
}

/** A block of another type. For models of upstreams of this API; a 400 for others. */
export interface MessageOtherBlockParam {
  /** Any other type. */
  readonly type: string;
}

/** An earlier reply. Unknown fields are ignored. */
export interface MessageAssistantParam {
  readonly role: 'assistant';
  /** The text, or blocks. */
  readonly content: string | readonly (MessageAssistantBlockParam | MessageOtherBlockParam)[];
}

/** A block of an earlier reply. Unknown fields are ignored. */
export type MessageAssistantBlockParam =
  | {
      readonly type: 'text';
      /** The text. */
      readonly text: string;
      /** A hint for prompt caches, without effect on the reply. */
      readonly cache_control?: Readonly<Record<string, unknown>>;
      /** Accepted and ignored. */
      readonly citations?: readonly unknown[];
    }
  | {
      readonly type: 'tool_use';
      /** Names the call. */
      readonly id: string;
      /** Name of the tool. */
      readonly name: string;
      /** The input. */
      readonly input: Readonly<Record<string, unknown>>;
      /** A hint for prompt caches, without effect on the reply. */
      readonly cache_control?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'thinking';
      /** The reasoning. */
      readonly thinking: string;
      /** As the server returned it. */
      readonly signature?: string;
    }
  | {
      readonly type: 'redacted_thinking';
      /** As a server returned it. */
      readonly data: string;
    }
  | {
      /** Type of the block. */
      readonly type:
        | 'advisor_tool_result'
        | 'bash_code_execution_tool_result'
        | 'code_execution_tool_result'
        | 'mcp_tool_result'
        | 'mcp_tool_use'
        | 'server_tool_use'
        | 'text_editor_code_execution_tool_result'
        | 'tool_search_tool_result'
        | 'web_fetch_tool_result'
        | 'web_search_tool_result';
    };

/** Further instructions. */
export interface MessageSystemParam {
  readonly role: 'system';
  /** The text, or blocks of text. */
  readonly content: string | readonly MessageTextBlockParam[];
}

/** A tool that the client runs. */
export interface MessageTool {
  readonly type?: 'custom';
  /** Name of the tool. */
  readonly name: string;
  /** What the tool does. */
  readonly description?: string;
  /** JSON Schema of the input. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** Whether the input follows `input_schema` exactly. Default: `false`. */
  readonly strict?: boolean;
  /** A hint for prompt caches, without effect on the reply. */
  readonly cache_control?: Readonly<Record<string, unknown>>;
  /** Accepted with no effect: the model sees every tool. */
  readonly defer_loading?: boolean;
  /** Accepted with no effect: input is always streamed. */
  readonly eager_input_streaming?: boolean;
  /** Examples of inputs, added to the description. */
  readonly input_examples?: readonly Readonly<Record<string, unknown>>[];
  /** Accepted and ignored: only the model calls tools. */
  readonly allowed_callers?: readonly string[];
}

/** A tool of a hosted service, which this server does not run: the model does not see it. */
export interface MessageHostedTool {
  /** Type of the tool. */
  readonly type:
    | 'advisor_20260301'
    | 'bash_20241022'
    | 'bash_20250124'
    | 'browser_toolset_20260801'
    | 'code_execution_20250522'
    | 'code_execution_20250825'
    | 'code_execution_20260120'
    | 'code_execution_20260521'
    | 'computer_20241022'
    | 'computer_20250124'
    | 'computer_20251124'
    | 'computer_toolset_20260801'
    | 'mcp_toolset'
    | 'memory_20250818'
    | 'text_editor_20241022'
    | 'text_editor_20250124'
    | 'text_editor_20250429'
    | 'text_editor_20250728'
    | 'tool_search_tool_bm25_20251119'
    | 'tool_search_tool_regex_20251119'
    | 'web_fetch_20250910'
    | 'web_fetch_20260209'
    | 'web_fetch_20260309'
    | 'web_fetch_20260318'
    | 'web_search_20250305'
    | 'web_search_20260209'
    | 'web_search_20260318';
  /** Its name. */
  readonly name?: string;
}

/** A tool of another type. For models of upstreams of this API; a 400 for others. */
export interface MessageOtherTool {
  /** Any other type. */
  readonly type?: string;
}

/** Which tools the model calls. */
export type MessageToolChoice =
  | {
      readonly type: 'auto';
      /** Whether the model calls at most one tool. Default: `false`. */
      readonly disable_parallel_tool_use?: boolean;
    }
  | {
      readonly type: 'any';
      /** Whether the model calls at most one tool. Default: `false`. */
      readonly disable_parallel_tool_use?: boolean;
    }
  | {
      readonly type: 'tool';
      /** Name of the tool. */
      readonly name: string;
      /** Whether the model calls at most one tool. Default: `false`. */
      readonly disable_parallel_tool_use?: boolean;
    }
  | {
      readonly type: 'none';
      /** Whether the model calls at most one tool. Default: `false`. */
      readonly disable_parallel_tool_use?: boolean;
    };

/** A request to count the tokens of a prompt. */
export type MessageCountTokensParams = Pick<
  MessageCreateParams,
  | 'model'
  | 'messages'
  | 'system'
  | 'tools'
  | 'tool_choice'
  | 'thinking'
  | 'output_config'
  | 'output_format'
  | 'cache_control'
  | 'speed'
  | 'container'
  | 'mcp_servers'
  | 'inference_geo'
  | 'compaction'
  | 'context_management'
>;

/** A request for a batch of messages. */
export interface MessageBatchCreateParams {
  /** The requests. */
  readonly requests: readonly {
    /** Names the request; unique in its batch. */
    readonly custom_id: string;
    /** The body of Create message. */
    readonly params: Readonly<Record<string, unknown>>;
  }[];
}

export interface MessageBatchListParams {
  /** Maximum number of batches. From 1 to 1000. Default: `20`. */
  readonly limit?: number;
  /** The page begins after this batch. */
  readonly after_id?: string;
  /** The page ends before this batch. */
  readonly before_id?: string;
  /** Accepted and ignored. */
  readonly beta?: string;
}

/** A request to continue a text. */
export interface TextCompletionCreateParamsBase extends Pick<
  ChatCompletionCreateParamsBase,
  'model' | 'min_p' | 'repeat_penalty' | 'top_k' | 'typical_p'
> {
  /** The text to continue, several texts, or the token IDs of one or several texts. */
  readonly prompt: TextOrTokens;
  /** Candidates to generate for each prompt. It must equal `n`: others are not supported. From 1 to 20. */
  readonly best_of?: number;
  /** Whether each choice begins with the prompt. With `logprobs`, for models that can score a prompt. Default: `false`. */
  readonly echo?: boolean;
  /** Positive values make tokens less likely the more often they appeared. From -2 to 2. Default: `0`. */
  readonly frequency_penalty?: number;
  /** Token IDs, each with a bias that is added to its logit. */
  readonly logit_bias?: Readonly<Record<string, number>>;
  /** Returns the log probability of each output token, and of this many of the most likely tokens. From 0 to 5. */
  readonly logprobs?: number;
  /** Maximum number of tokens of each choice. 0 only together with `echo`. Default: `16`. */
  readonly max_tokens?: number;
  /** Number of choices to generate for each prompt. From 1 to 128. Default: `1`. */
  readonly n?: number;
  /** Positive values make tokens less likely that appeared at all. From -2 to 2. Default: `0`. */
  readonly presence_penalty?: number;
  /** The same request with the same seed gives the same reply, where possible. */
  readonly seed?: number | bigint;
  /** Texts at which a choice ends. They are not returned. */
  readonly stop?: string | readonly string[];
  /** Whether to stream the reply. Default: `false`. */
  readonly stream?: boolean;
  /** Options of a stream. Requires `stream`. */
  readonly stream_options?: TextCompletionStreamOptions;
  /** Text that follows the completion, for models that fill in. */
  readonly suffix?: string;
  /** How random the choice of tokens is. From 0 to 2. Default: `1`. */
  readonly temperature?: number;
  /** Only the most likely tokens with this probability together are chosen from. From 0 to 1. Default: `1`. */
  readonly top_p?: number;
  /** ID of your end user. */
  readonly user?: string;
}

/** Options of a stream. */
export interface TextCompletionStreamOptions {
  /** Whether random characters pad events to similar sizes. Default: `true`. */
  readonly include_obfuscation?: boolean;
  /** Whether a last chunk reports the tokens of the whole request. */
  readonly include_usage?: boolean;
}

/** A request for embeddings. */
export interface EmbeddingCreateParams {
  /** A text, several texts, the token IDs of a text, or those of several texts. */
  readonly input: TextOrTokens;
  /** ID of the embedding model. */
  readonly model: string;
  /** Form of the embeddings: numbers, or 32-bit floats (little-endian) in base64. Default: `'float'`. */
  readonly encoding_format?: 'float' | 'base64';
  /** Length of the embeddings, for models that support it. Default: the size of the model. From 1 to 65536. */
  readonly dimensions?: number;
  /** ID of your end user. */
  readonly user?: string;
}

/** A request for a moderation. */
export interface ModerationCreateParams {
  /** One or several texts, or texts and images together. */
  readonly input: string | readonly string[] | readonly (ModerationTextInput | ModerationImageInput)[];
  /** ID of the moderation model. Default: `'omni-moderation-latest'`. */
  readonly model?: Open<'omni-moderation-latest' | 'omni-moderation-2024-09-26'>;
}

/** A text to classify. */
export interface ModerationTextInput {
  readonly type: 'text';
  /** The text. */
  readonly text: string;
}

/** An image to classify. */
export interface ModerationImageInput {
  readonly type: 'image_url';
  /** The image. */
  readonly image_url: {
    /** URL of an image, or a data URL with the image in base64. */
    readonly url: string;
  };
}

/** A request for a batch. */
export interface BatchCreateParams {
  /** ID of a file of purpose `batch` with one request on each line. */
  readonly input_file_id: string;
  /** Path of the endpoint that every line is sent to. */
  readonly endpoint: BatchEndpoint;
  /** Time within which the batch ends: `1h` to `168h`, or `1d` to `7d`. */
  readonly completion_window: string;
  readonly metadata?: Metadata | null;
  /** When the files with the results expire. Default: they are kept. */
  readonly output_expires_after?: ExpiresAfter;
}

export type BatchEndpoint =
  | '/v1/chat/completions'
  | '/v1/moderations'
  | '/v1/videos'
  | '/v1/responses'
  | '/v1/messages'
  | '/v1/embeddings'
  | '/v1/completions'
  | '/v1/images/generations'
  | '/v1/images/edits'
  | '/v1/datasets'
  | '/v1/datasets/compare'
  | '/v1/datasets/rerun';

/** When the file expires, in seconds after its creation. */
export interface ExpiresAfter {
  readonly anchor: 'created_at';
  /** Seconds after the anchor. From 3600 to 2592000. */
  readonly seconds: number;
}

export interface BatchListParams {
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
}

/** A request for a dataset. */
export interface DatasetCreateParams {
  /** Name of the files. Default: `'dataset'`. */
  readonly name?: string;
  /** What a line of the files is: a conversation for fine-tuning, a request with its reply for evaluation, or a request for a batch. */
  readonly format: DatasetFormat;
  /** Which stored completions. Default: all but the results of reruns. */
  readonly filter?: DatasetFilter;
  /** Instead of `filter`: ID of a dataset of the format `evaluation`, whose completions are used. */
  readonly dataset?: string;
  /** Maximum number of lines. From 1 to 1000000. Default: `1000000`. */
  readonly limit?: number;
  /** Whether a line that is equal to an earlier one, apart from IDs, is left out. Default: `true`. */
  readonly deduplicate?: boolean;
  /** Default: one file. */
  readonly split?: DatasetSplit;
  /** Only for `batch`: parameters of the requests in place of those that were stored, such as `model`. Null removes one. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** When the files expire. Default: that of their purposes. */
  readonly expires_after?: ExpiresAfter;
}

export type DatasetFormat = 'fine_tuning' | 'evaluation' | 'batch';

/** Which stored completions a dataset has. */
export interface DatasetFilter {
  /** Only completions of this model. */
  readonly model?: string;
  /** Only completions whose metadata has these pairs. Default: all but the results of reruns. */
  readonly metadata?: Metadata;
  /** Only completions created from this time on, in Unix seconds (inclusive). */
  readonly start_time?: number;
  /** Only completions created before this time, in Unix seconds (exclusive). */
  readonly end_time?: number;
}

/** The part of the items that is kept for tests. */
export interface DatasetSplit {
  /** The share of the items in the test file. From 0 to 1. */
  readonly test: number;
  /** Selects the items: the same seed selects the same completions. Default: `0`. */
  readonly seed?: number;
}

/** A request to run the requests of a dataset again. */
export interface DatasetRerunParams {
  /** Name of the batches. Default: that of the dataset with the model in `parameters`; in the line of a batch, `rerun`. */
  readonly name?: string;
  /** ID of a dataset of the format `evaluation`. */
  readonly dataset: string;
  /** Parameters of the requests in place of those that were stored, such as `model`. Null removes one. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A request for a comparison of replies. */
export interface DatasetCompareParams {
  /** Name of the files. Default: `'comparison'`. */
  readonly name?: string;
  /** ID of a dataset of the format `evaluation`. */
  readonly dataset: string;
  /** The batch of a rerun, or the batches that ran the requests of the dataset again, in the order of their files. */
  readonly candidate_batch_ids: readonly string[];
  /** Batches with which the candidate is compared. Default: the replies of the dataset. */
  readonly baseline_batch_ids?: readonly string[];
  /** Default: `exact`. */
  readonly scorers?: readonly ComparisonScorer[];
}

/** How replies are scored, from 0 to 1. */
export type ComparisonScorer =
  | { readonly type: 'exact' }
  | { readonly type: 'normalized' }
  | {
      readonly type: 'json_schema';
      /** A JSON Schema. */
      readonly schema: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'regex';
      /** A regular expression without look-around and backreferences, which the whole reply has to match. */
      readonly pattern: string;
    }
  | {
      readonly type: 'embedding';
      /** Model of the requests. */
      readonly model: string;
      /** The batches that ran the request files of this scorer, in their order. Default: the files are written. */
      readonly batch_ids?: readonly string[];
    }
  | {
      readonly type: 'judge';
      /** Model of the requests. */
      readonly model: string;
      /** Whether the model compares two replies, in both orders, or gives each from 1 to 5 points. Default: `'pairwise'`. */
      readonly mode?: 'pairwise' | 'rubric';
      /** What makes a reply good. */
      readonly criteria: string;
      /** The batches that ran the request files of this scorer, in their order. Default: the files are written. */
      readonly batch_ids?: readonly string[];
    };

/** A request for an upload. */
export interface UploadCreateParams {
  /** Name of the file. */
  readonly filename: string;
  /** Size of the whole file. From 0 to 8589934592. */
  readonly bytes: number;
  /** Media type of the file. */
  readonly mime_type: string;
  /** What the file is for. */
  readonly purpose: FilePurpose;
  /** When the file expires. Default: it is kept. */
  readonly expires_after?: ExpiresAfter;
}

export type FilePurpose = 'assistants' | 'batch' | 'fine-tune' | 'vision' | 'user_data' | 'evals';

/** The parts that make up the file. */
export interface UploadCompleteParams {
  /** IDs of the parts, in the order of the file. Empty for a file without bytes. */
  readonly part_ids: readonly string[];
  /** MD5 checksum of the whole file. */
  readonly md5?: string;
}

/** Text fields of Create file. */
export interface FileCreateFields {
  /** What the file is for. */
  readonly purpose: FilePurpose;
  /** When the file expires. Default: it is kept. */
  readonly expires_after?: ExpiresAfter;
}

export interface FileListParams {
  /** Return only files of this purpose. */
  readonly purpose?: string;
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 10000 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
  /** Sort order by time of creation. Default: `'desc'`. */
  readonly order?: 'asc' | 'desc';
}

/** A request for a video. */
export interface VideoCreateFields {
  /** What the video shows. */
  readonly prompt: string;
  /** ID of the video model. Default: one that this server serves. */
  readonly model?: string;
  readonly seconds?: Open<'4' | '8' | '12'>;
  readonly size?: Open<'720x1280' | '1280x720' | '1024x1792' | '1792x1024'>;
  /** An image for the first frame. */
  readonly input_reference?: VideoInputReference;
}

/** An image: exactly one of `file_id` and `image_url`. */
export interface VideoInputReference {
  /** ID of an uploaded image. */
  readonly file_id?: string;
  /** URL of an image, or a data URL with the image in base64. */
  readonly image_url?: string;
}

export interface VideoListParams {
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
  /** Sort order by time of creation. Default: `'desc'`. */
  readonly order?: 'asc' | 'desc';
}

export interface VideoContentParams {
  /** Which of the files of the video to download. Default: `'video'`. */
  readonly variant?: 'video' | 'thumbnail' | 'spritesheet';
}

/** What changes in an edit of a completed video. */
export interface VideoEditParams {
  /** What the video shows. */
  readonly prompt: string;
  /** A completed video of this server. */
  readonly video: VideoReference;
}

/** A completed video of this server. */
export interface VideoReference {
  /** ID of the completed video. */
  readonly id: string;
}

/** What changes in an edit of a video. */
export interface VideoEditFields {
  /** What the video shows. */
  readonly prompt: string;
  /** The completed video, if it is not sent as a file. */
  readonly video?: VideoReference;
}

/** How a completed video continues. */
export interface VideoExtendParams {
  /** What the video shows. */
  readonly prompt: string;
  /** A completed video of this server. */
  readonly video: VideoReference;
  /** Length of the new part in seconds, one that the model supports. */
  readonly seconds: Open<'4' | '8' | '12'>;
}

/** How a video continues. */
export interface VideoExtendFields {
  /** What the video shows. */
  readonly prompt: string;
  /** The completed video, if it is not sent as a file. */
  readonly video?: VideoReference;
  /** Length of the new part in seconds, one that the model supports. */
  readonly seconds: Open<'4' | '8' | '12'>;
}

/** What changes in a remix. The rest is as in the source. */
export type VideoRemixParams = Pick<VideoCreateFields, 'prompt' | 'model' | 'seconds' | 'size'>;

export interface UsageParams {
  /** Start of the report in Unix seconds, inclusive. */
  readonly start_time: number;
  /** End of the report in Unix seconds, exclusive. Default: now. */
  readonly end_time?: number;
  /** Length of each bucket. Days are in UTC. */
  readonly bucket_width?: '1d';
  /** Only these projects. */
  readonly project_ids?: readonly string[];
  /** Only these keys. */
  readonly api_key_ids?: readonly string[];
  /** Only these models. */
  readonly models?: readonly string[];
  /** Fields to group the results of a day by. */
  readonly group_by?: readonly ('project_id' | 'api_key_id' | 'model')[];
  /** Number of days to return. From 1 to 31. Default: `7`. */
  readonly limit?: number;
  /** The `next_page` of the previous page. */
  readonly page?: string;
}

export interface ProjectListParams {
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
  /** Whether archived projects are listed. Default: `'false'`. */
  readonly include_archived?: 'true' | 'false';
}

/** A new project. */
export interface ProjectCreateParams {
  /** Name of the project. */
  readonly name: string;
  /** ID of the project: 1 to 64 letters, digits, `_`, `-` and `.`, but not `.` or `..`. Default: a random ID. */
  readonly id?: ProjectId;
  /** Requests per minute. Null for no limit of its own. At least 1. */
  readonly requests_per_minute?: number | null;
  /** Tokens per minute. Null for no limit of its own. At least 1. */
  readonly tokens_per_minute?: number | null;
  /** The models that may be used. Null allows all. */
  readonly allowed_models?: readonly string[] | null;
  /** Output tokens that a request may ask for. A request without a limit of its own gets this one. Null for no limit. At least 1. */
  readonly max_output_tokens?: number | null;
  /** Bytes of files, stored completions and stored responses that the project may keep. Null for no limit. */
  readonly storage_limit_bytes?: number | null;
}

export type ProjectId = string;

/** What changes in a project. Other fields stay as they are. */
export interface ProjectUpdateParams extends Pick<
  ProjectCreateParams,
  'requests_per_minute' | 'tokens_per_minute' | 'allowed_models' | 'max_output_tokens' | 'storage_limit_bytes'
> {
  /** Name of the project. */
  readonly name?: string;
}

export interface ProjectApiKeyListParams {
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
}

/** A new API key. */
export interface ProjectApiKeyCreateParams extends Pick<
  ProjectCreateParams,
  'requests_per_minute' | 'tokens_per_minute' | 'allowed_models' | 'max_output_tokens'
> {
  /** Name of the key. */
  readonly name?: string;
  /** What the key permits. Default: `'full'`. */
  readonly role?: 'full' | 'read_only' | 'inference_only' | 'admin';
  /** When the key expires, in Unix seconds. Null for a key that does not expire. At least 1. */
  readonly expires_at?: number | null;
}

/** What changes in an API key. Other fields stay as they are. */
export interface ProjectApiKeyUpdateParams extends Pick<
  ProjectApiKeyCreateParams,
  'name' | 'expires_at' | 'requests_per_minute' | 'tokens_per_minute' | 'allowed_models' | 'max_output_tokens'
> {
  /** What the key permits. */
  readonly role?: 'full' | 'read_only' | 'inference_only' | 'admin';
}

/** A new secret for an API key. */
export interface ProjectApiKeyRotateParams {
  /** Seconds for which the previous secret stays valid. From 0 to 2592000. Default: `0`. */
  readonly grace_seconds?: number;
}

export interface BudgetListParams {
  /** Only budgets of these projects. */
  readonly project_ids?: readonly string[];
  /** Only budgets of these keys. */
  readonly api_key_ids?: readonly string[];
}

/** A new budget. */
export interface BudgetCreateParams {
  /** The project that the budget applies to. */
  readonly project_id?: string;
  /** The key that the budget applies to. Exactly one of the two is set. */
  readonly api_key_id?: string;
  /** What is limited: tokens, or their cost by the price table. */
  readonly unit: 'tokens' | 'cost';
  /** How often the budget starts again, in UTC. */
  readonly period: 'day' | 'month';
  /** Requests beyond it are served, with a header and a line in the log. At most `hard_limit`. In tokens, or in millionths of the currency of the price table. Null for none. */
  readonly soft_limit?: number | null;
  /** Requests beyond it get a 429 with the code `insufficient_quota`. In tokens, or in millionths of the currency of the price table. Null for none. */
  readonly hard_limit?: number | null;
}

/** What changes in a budget. What was spent stays as it is. */
export interface BudgetUpdateParams {
  /** Requests beyond it are served, with a header and a line in the log. At most `hard_limit`. In tokens, or in millionths of the currency of the price table. Null for none. */
  readonly soft_limit?: number | null;
  /** Requests beyond it get a 429 with the code `insufficient_quota`. In tokens, or in millionths of the currency of the price table. Null for none. */
  readonly hard_limit?: number | null;
  /** Replaces `hard_limit` until the current period ends. In tokens, or in millionths of the currency of the price table. Null for none. */
  readonly override_limit?: number | null;
}

export interface AuditLogParams {
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
  /** Only actions from this time on, in Unix seconds. */
  readonly start_time?: number;
  /** Only actions before this time, in Unix seconds. */
  readonly end_time?: number;
  /** Only actions that concern these projects. */
  readonly project_ids?: readonly string[];
  /** Only actions of these types. */
  readonly event_types?: readonly string[];
  /** Only actions of these keys and people. */
  readonly actor_ids?: readonly string[];
  /** Only actions of people with these names at that time, such as email addresses. */
  readonly actor_emails?: readonly string[];
  /** Only actions on these projects, keys, budgets, webhooks and people. */
  readonly resource_ids?: readonly string[];
}

export interface LoggedRequestListParams {
  /** ID of the last item of the previous page. A 400 if the log no longer has it. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
  /** Sort order by time of creation. Default: `'desc'`. */
  readonly order?: 'asc' | 'desc';
  /** Only requests from this time on, in Unix seconds. */
  readonly start_time?: number;
  /** Only requests before this time, in Unix seconds. */
  readonly end_time?: number;
  /** Only requests of these projects. */
  readonly project_ids?: readonly string[];
  /** Only requests with these keys. */
  readonly api_key_ids?: readonly string[];
  /** Only requests to these models. */
  readonly models?: readonly string[];
  /** Only requests that ended like this. */
  readonly outcomes?: readonly ('succeeded' | 'failed' | 'aborted')[];
}

export interface CostsParams extends Pick<
  UsageParams,
  'start_time' | 'end_time' | 'bucket_width' | 'project_ids' | 'api_key_ids' | 'page'
> {
  /** Fields to group the results of a day by. `line_item` is the model. */
  readonly group_by?: readonly ('project_id' | 'api_key_id' | 'line_item')[];
  /** Number of days to return. From 1 to 180. Default: `7`. */
  readonly limit?: number;
}

export interface WebhookListParams {
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
}

/** A new webhook. */
export interface WebhookCreateParams {
  /** Where events are sent: an `http` or `https` URL without credentials. Its host must be on the public internet, or listed in `webhookTrustedHosts`. */
  readonly url: string;
  /** Name of the webhook. */
  readonly name?: string;
  /** The project whose events are sent. Null for the events of all projects and of the server. */
  readonly project_id?: string | null;
  /** The types of events that are sent. Null for all. */
  readonly event_types?: readonly WebhookEventType[] | null;
  /** Whether events are sent. Default: `true`. */
  readonly enabled?: boolean;
}

export type WebhookEventType =
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
  | 'upstream.up';

/** What changes in a webhook. Other fields stay as they are. */
export interface WebhookUpdateParams {
  readonly url?: string;
  /** Name of the webhook. */
  readonly name?: string;
  /** The types of events that are sent. Null for all. */
  readonly event_types?: readonly WebhookEventType[] | null;
  /** Whether events are sent. While a webhook is disabled, deliveries that become due are canceled. */
  readonly enabled?: boolean;
}

/** A new signing secret for a webhook. */
export interface WebhookRotateSecretParams {
  /** Seconds for which deliveries are also signed with the previous secret. From 0 to 2592000. Default: `0`. */
  readonly grace_seconds?: number;
}

export interface WebhookDeliveryListParams {
  /** ID of the last item of the previous page. An item that was deleted within the last day also counts. */
  readonly after?: string;
  /** Number of items to return. A page has at most 100 items, even if more are requested. At least 1. Default: `20`. */
  readonly limit?: number;
  /** Only deliveries with this status. */
  readonly status?: 'pending' | 'succeeded' | 'failed' | 'canceled';
}

export interface BatchInputLine {
  /** Names the line; unique in its file. */
  readonly custom_id: string;
  readonly method: 'POST';
  readonly url: BatchEndpoint;
  /** The request body of the endpoint. */
  readonly body: Readonly<Record<string, unknown>>;
}
