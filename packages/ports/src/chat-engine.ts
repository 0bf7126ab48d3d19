import type {
  ChatCompletionCreateParams,
  CompletionUsage,
  FinishReason,
  ServiceTier,
  TokenLogprob,
  UrlCitationAnnotation,
} from '@modelwire/schema/types';
import type { BatchProvider, EngineBatchLine } from './batch-provider.ts';
import type { ChatCapabilities } from './chat-capabilities.ts';
import type { ChatRequest } from './chat-request.ts';
import type { ListedModel } from './listed-model.ts';
import type { UpstreamObserver } from './observation.ts';
import type { UnaskedUpstream } from './request-error.ts';

/** A model of an engine with its capabilities. */
export interface ChatModel extends ListedModel {
  readonly capabilities: ChatCapabilities;
  /** Whether the engine supports native responses (`respond`). Default: false, requests for responses are translated to chat requests. */
  readonly supportsResponses?: boolean;
  /**
   * `messages`: the model serves requests of the Messages API only (`createMessage`), unchanged; others are a 400. Default: it serves chat
   * requests, and requests for messages are translated to them.
   */
  readonly dialect?: 'messages';
}

/** A request of the Responses API; the engine sets `model`. */
export type NativeResponseBody = Readonly<Record<string, unknown>>;

/** An event of a response as the engine sent it. */
export type NativeResponseEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** A request of the Messages API. */
export interface NativeMessageRequest {
  /** What the client sent; the engine sets `model`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The header `anthropic-beta`, with which the client asks for features; null if there is none. */
  readonly betas: string | null;
}

/** An event of a streamed message, or a whole message (`type: 'message'`), as the engine sent it. */
export type NativeMessageEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** A request to continue a text (legacy completions). `ChatRequest` has the parameters; its messages contain the prompt. */
export interface TextCompletionRequest extends ChatRequest {
  /** Text, or token IDs if the engine supports them. */
  readonly prompt: string | readonly number[];
  /** Text that follows the completion, if the engine supports it. */
  readonly suffix: string | undefined;
  /**
   * Whether each choice starts with an event `echo`. Only for models for which `textCompletions.echo` is true; otherwise the server itself
   * adds the text of a prompt. With `logprobs`, a token that ends the reply has a log probability, too, in a `text` event without text.
   */
  readonly echo: boolean;
}

/** A token of the prompt with its log probability; null for the first token, which follows nothing. */
export interface EchoedToken extends Omit<TokenLogprob, 'logprob'> {
  readonly logprob: number | null;
}

/** What an engine supports in legacy completions, in addition to text prompts. */
export interface TextCompletionSupport {
  readonly tokens: boolean;
  readonly suffix: boolean;
  /** Whether a model can return the prompt with log probabilities, or the text of a prompt of token IDs (API: `echo`). Default: none can. */
  readonly echo?: (modelId: string) => boolean;
}

/** The context of one generation. */
export interface EngineContext {
  readonly requestId: string;
  /** The project of the request. Data that an engine keeps of one project must not reach another. */
  readonly project: string;
  readonly model: ChatModel;
  /**
   * The request body as the client sent it, including unknown fields on a server that keeps them. Files and images are inlined if the
   * engine cannot fetch them. Engines in front of an OpenAI-compatible server forward it.
   */
  readonly requestBody: ChatCompletionCreateParams;
  /** ID of the stored conversation that the request continues. */
  readonly conversation?: string | undefined;
  /** The batch and the line, if the request is a line of a batch. */
  readonly batchLine?: EngineBatchLine | undefined;
  /** Records the name of the upstream that the engine uses for this request, for the header `x-modelwire-upstream` and the log; then, if its attempt fails, why, such as `ECONNREFUSED`. */
  reportUpstream?(name: string, failure?: string): void;
  /** Engines in front of upstreams report their requests here, for metrics and traces. Undefined if nothing is observed. */
  readonly observer?: UpstreamObserver | undefined;
  /** Aborted when the client disconnects. The engine then stops; errors that it throws afterwards are ignored. */
  readonly signal: AbortSignal;
}

/** An event of a generation. `choice` is the index in `choices`, less than `request.n`. */
export type ChatEvent =
  /** `tokens`: number of tokens of the text, default 1. The server counts them if it enforces the token limit. */
  | {
      readonly type: 'text';
      readonly choice: number;
      readonly text: string;
      readonly tokens?: number;
      readonly logprobs?: readonly TokenLogprob[];
    }
  | {
      readonly type: 'refusal';
      readonly choice: number;
      readonly text: string;
      readonly tokens?: number;
      readonly logprobs?: readonly TokenLogprob[];
    }
  /** The prompt of a legacy completion, as the first event of its choice (`TextCompletionRequest.echo`). */
  | {
      readonly type: 'echo';
      readonly choice: number;
      readonly text: string;
      readonly logprobs?: readonly EchoedToken[];
    }
  /** Starts the tool call at `index`. Its arguments (function) or input (custom) follow as `tool_input`. */
  | {
      readonly type: 'tool_call';
      readonly choice: number;
      readonly index: number;
      readonly id: string;
      readonly kind: 'function' | 'custom';
      readonly name: string;
    }
  | {
      readonly type: 'tool_input';
      readonly choice: number;
      readonly index: number;
      readonly kind: 'function' | 'custom';
      readonly text: string;
      readonly tokens?: number;
    }
  /** The deprecated single function call. An engine whose `functions` are emulated emits tool calls instead. */
  | {
      readonly type: 'function_call';
      readonly choice: number;
      readonly name?: string;
      readonly text?: string;
      readonly tokens?: number;
    }
  /** A piece of audio. The first one of a choice has its `id`; `data` is in the requested format; `tokens` counts the transcript. */
  | {
      readonly type: 'audio';
      readonly choice: number;
      readonly id?: string;
      /** Unix seconds. */
      readonly expires_at?: number;
      readonly data?: Uint8Array;
      readonly transcript?: string;
      readonly tokens?: number;
      readonly logprobs?: readonly TokenLogprob[];
    }
  /** Citations of the text of a choice, after the text. Positions are in characters of the whole text. */
  | { readonly type: 'annotations'; readonly choice: number; readonly annotations: readonly UrlCitationAnnotation[] }
  /** Fields of a delta that the API does not define, such as reasoning text. They are sent unchanged. */
  | { readonly type: 'extra'; readonly choice: number; readonly delta: Readonly<Record<string, unknown>> }
  /** The end of a choice: exactly one, after all other events of the choice. `stoppedBy`: the stop sequence that ended it, if known. */
  | { readonly type: 'finish'; readonly choice: number; readonly reason: FinishReason; readonly stoppedBy?: string }
  /**
   * Usage of the whole request; the last one counts. An engine that knows the tokens of the prompt before the reply can emit it first, with 0
   * completion tokens, so that truncated and aborted replies have usage. Without this event, the usage is estimated for
   * limits and records, and for streams whose client requests it.
   */
  | { readonly type: 'usage'; readonly usage: CompletionUsage }
  /** Metadata of the reply. Emit it before the first event of a choice, so that every chunk has it. */
  | { readonly type: 'meta'; readonly system_fingerprint?: string; readonly service_tier?: ServiceTier };

/** A reply that already has the format of the API. The server sets `id`, `created` and `model`, and keeps the rest. */
export type Relayed =
  | { readonly kind: 'completion'; readonly completion: Readonly<Record<string, unknown>> }
  /**
   * Each item contains the chunks that arrived together, without `[DONE]`: the iteration ends instead. Each choice ends once, with a
   * `finish_reason` of the API. An error of the upstream and an incomplete stream are thrown as a `RequestError`.
   */
  | { readonly kind: 'stream'; readonly payloads: AsyncIterable<readonly RelayedChunk[]> };

/** A chunk of a relayed stream. */
export interface RelayedChunk {
  /** The chunk as JSON. */
  readonly text: string;
  /** The chunk as a value. Omitted for a chunk that differs only in its text from an earlier one, and for an engine that does not parse it. */
  readonly chunk?: Readonly<Record<string, unknown>>;
  /** Whether `text` is not what the upstream sent. */
  readonly isChanged?: boolean;
}

/** The events of a generation: as they occur, one by one or in lists, or all of them in one list. */
export type ChatEvents = AsyncIterable<ChatEvent | readonly ChatEvent[]> | readonly ChatEvent[];

/**
 * Serves chat models.
 *
 * `generate` stops when `context.signal` aborts, throws a `RequestError` for failures that the client may see (other errors become a 500
 * without details), and ends each choice with one `finish`. An error before the first event becomes an HTTP status; a later one becomes an
 * error event.
 *
 * `relay` is optional. It is called instead of `generate` if the server emulates nothing for the request, and its reply is passed through.
 * `requestBody.stream` decides the kind of the reply. It always includes usage: the engine requests `include_usage` from its upstream.
 */
export interface ChatEngine {
  readonly name: string;
  /** Whether its models run in another process: its requests to that process get trace headers. Default false. */
  readonly isRemote?: boolean;
  /** Called for each request, so it must be fast. */
  models(): readonly ChatModel[];
  /** False while `models()` may be incomplete, for engines that request their models from other servers. Default true. */
  readonly hasLoadedModels?: boolean;
  /** A model that `models()` does not list, for engines whose models cannot be listed. Called if no engine lists the ID. */
  resolveModel?(id: string): ChatModel | undefined;
  /** The servers whose models the engine does not know, for instance because they were never reachable. The 404 for unknown models names them. */
  unaskedUpstreams?(): readonly UnaskedUpstream[];
  /** Generates a reply. Emit events that are available together as one list: that is faster. */
  generate(request: ChatRequest, context: EngineContext): ChatEvents;
  relay?(request: ChatRequest, context: EngineContext): Promise<Relayed>;
  /**
   * Generates a response for a request of the Responses API, for models with `supportsResponses`. Gives the events of the stream as they arrive
   * together, up to the last one (`response.completed`, `response.incomplete` or `response.failed`). `body` is what the client sent, with the
   * whole conversation as its `input` and without what the server does itself: storage, background and padding.
   */
  respond?(body: NativeResponseBody, context: EngineContext): AsyncIterable<readonly NativeResponseEvent[]>;
  /**
   * Generates a message for models with the dialect `messages`. Gives the events of a stream as they arrive together, up to `message_stop`, which
   * may be missing after a `stop_reason`; for a request without `stream`, the message is the only event.
   */
  createMessage?(request: NativeMessageRequest, context: EngineContext): AsyncIterable<readonly NativeMessageEvent[]>;
  /** Counts the tokens of the prompt of a message, for models with the dialect `messages`. */
  countMessageTokens?(
    request: NativeMessageRequest,
    context: Pick<EngineContext, 'requestId' | 'model' | 'signal' | 'reportUpstream'>,
  ): Promise<number>;
  /** Support for legacy completions, which continue a text without a chat template. Without it they get a 400 that names the model. */
  readonly textCompletions?: TextCompletionSupport;
  /** Continues a text, with `echo`, `text`, `finish`, `usage` and `meta` events. Requires `textCompletions`. */
  complete?(request: TextCompletionRequest, context: EngineContext): ChatEvents;
  /**
   * Counts the tokens of the prompt in less than a millisecond; undefined if that is not possible. Used for rate limits and for the usage of
   * truncated replies. Default: estimated for rate limits, and not part of the usage.
   */
  countPromptTokens?(request: ChatRequest): number | undefined;
  /** Counts the tokens of the prompt, for requests that ask for their number. Default: `countPromptTokens`, or an estimate. */
  countTokens?(request: ChatRequest, signal: AbortSignal): Promise<number>;
  /** The batch APIs of the upstreams of a model to which lines are submitted, the first choice first. Default: none. */
  batchProviders?(model: string): readonly BatchProvider[];
  /** Maximum number of concurrent requests; further ones wait in the queue. Default: `engineConcurrency` of the server. */
  readonly concurrency?: number;
  close?(): Promise<void>;
}
