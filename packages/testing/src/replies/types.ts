import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  CompletionUsage,
  FinishReason,
  ModerationCategory,
} from '@modelwire/schema/types';

/** A substring; a RegExp; or a RegExp as the string `/…/flags`. */
export type Pattern = string | RegExp;

/** A chat request for matchers and reply functions. */
export interface ChatRequestInfo {
  readonly model: string;
  readonly messages: readonly ChatCompletionMessageParam[];
  /** The text of the last message, with its parts joined. */
  readonly lastMessage: string;
  /** The text of all system and developer messages, by lines. */
  readonly system: string;
  /** The number of user messages: 1 in the first turn. */
  readonly turn: number;
  /** The tool and its result, if the last message is a tool result. */
  readonly toolResult: { readonly name: string; readonly text: string } | undefined;
  /** Names of the tools of the request, including deprecated functions. */
  readonly tools: readonly string[];
  readonly stream: boolean;
  readonly format: 'text' | 'json_object' | 'json_schema';
  /** The `custom_id` of a batch line. */
  readonly customId: string | undefined;
  /** The request body. */
  readonly body: ChatCompletionCreateParams;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** All conditions must match. Without conditions, every request matches. */
export interface ChatMatcher {
  /** Exactly this model ID, or a RegExp. */
  readonly model?: Pattern;
  /** Matches the text of the last message. */
  readonly message?: Pattern;
  /** Matches the text of the system and developer messages. */
  readonly system?: Pattern;
  /** The request has a tool of this name. */
  readonly tool?: Pattern;
  /** The last message is a tool result: of any tool (`true`), or of the tool of this name. */
  readonly toolResult?: boolean | Pattern;
  /** The number of user messages. */
  readonly turn?: number;
  readonly stream?: boolean;
  readonly format?: 'text' | 'json_object' | 'json_schema';
  /** A line of a batch with exactly this `custom_id`, or a RegExp. */
  readonly customId?: Pattern;
  /** A function (not in files). */
  readonly test?: (request: ChatRequestInfo) => boolean;
}

export interface ToolCallReply {
  readonly name: string;
  /** Arguments of a function: an object, or a JSON text, which can be invalid. */
  readonly arguments?: unknown;
  /** Input of a custom tool. */
  readonly input?: string;
  /** Default: generated. */
  readonly id?: string;
}

export interface ErrorReply {
  /** Default 500. */
  readonly status?: number;
  readonly message?: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Seconds, as the header `retry-after`. */
  readonly retryAfter?: number;
  /** The number of chunks before the error, which is then an error frame in the stream. Default 0: an error status. */
  readonly afterChunks?: number;
}

export interface Pace {
  /** Milliseconds before the first chunk. */
  readonly first?: number;
  /** Milliseconds before each other chunk. */
  readonly each?: number;
}

/** A reply: `text`, `json` or `refusal`, `toolCalls`, or an `error`, and how it is sent. */
export interface ReplyObject {
  /** Can have templates such as `{{lastMessage}}`. */
  readonly text?: string;
  /** Sent as JSON text. Its strings can have templates. */
  readonly json?: unknown;
  readonly refusal?: string;
  readonly toolCalls?: readonly ToolCallReply[];
  readonly error?: ErrorReply;
  /** Default: `tool_calls` after tool calls, else `stop`. */
  readonly finishReason?: FinishReason;
  /** Default: one token for each four characters. Missing fields are computed. */
  readonly usage?: Partial<CompletionUsage>;
  /** The chunks of the text, or their number. Default: one for each word. */
  readonly chunks?: number | readonly string[];
  /** Milliseconds before each chunk. Default 0. */
  readonly pace?: number | Pace;
  /** Milliseconds before the reply. */
  readonly delay?: number;
  /** A reply for each of `n` choices; the last one is used for further choices. */
  readonly choices?: readonly Reply[];
  /** Further fields of a delta, such as `{ reasoning_content: '…' }`, which are sent first. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Whether templates are replaced. Default true. */
  readonly template?: boolean;
}

export type Reply = string | ReplyObject;
/** `count` is how often the rule was used before. */
export type ReplyFunction = (request: ChatRequestInfo, count: number) => Reply | Promise<Reply>;

export interface ChatRule {
  /** Shown in errors. Default: its path, such as `replies[2]`. */
  readonly name?: string;
  readonly when?: ChatMatcher;
  readonly reply?: Reply | ReplyFunction;
  /** Replies in order, instead of `reply`. */
  readonly sequence?: readonly (Reply | ReplyFunction)[];
  /** After the sequence: the rule no longer matches, the last reply repeats, or the sequence restarts. Default `stop`. */
  readonly atEnd?: 'stop' | 'last' | 'again';
  /** How often the rule can be used; then later rules apply. Default: without a limit, or the length of the sequence. */
  readonly times?: number;
}

export interface ModerationRule {
  readonly name?: string;
  readonly when?: { readonly model?: Pattern; readonly text?: Pattern };
  readonly reply: ModerationReply;
  readonly times?: number;
}

/** The moderation of an input. Other categories are not flagged. */
export interface ModerationReply {
  /** Flagged categories, with a score of 0.9. */
  readonly flagged?: readonly ModerationCategory[];
  /** Scores, 0 to 1; a category is flagged from 0.5. */
  readonly scores?: Readonly<Partial<Record<ModerationCategory, number>>>;
  readonly error?: Omit<ErrorReply, 'afterChunks'>;
}

export interface VideoRule {
  readonly name?: string;
  readonly when?: { readonly model?: Pattern; readonly prompt?: Pattern; readonly remix?: boolean };
  readonly reply: VideoReply;
  readonly times?: number;
}

export interface VideoReply {
  /** A file with the video. Default: a few bytes with the start of an MP4. */
  readonly file?: string;
  /** The bytes of the video (not in files). */
  readonly bytes?: Uint8Array;
  /** The percentages of progress, in order. */
  readonly progress?: readonly number[];
  /** Milliseconds before each of them and before the end. Default 0. */
  readonly pace?: number;
  /** The video ends as `failed`. */
  readonly failure?: { readonly code?: string; readonly message?: string };
}
