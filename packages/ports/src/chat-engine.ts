import type {
  ChatCompletionCreateParams,
  CompletionUsage,
  FinishReason,
  ServiceTier,
  TokenLogprob,
  UrlCitationAnnotation,
} from '@modelwire/schema/types';
import type { ChatCapabilities } from './chat-capabilities.ts';
import type { ChatRequest } from './chat-request.ts';
import type { UpstreamObserver } from './observation.ts';
import type { RequestError } from './request-error.ts';

/** A model that an engine serves, as `GET /v1/models` shows it, and what it can do. */
export interface ChatModel {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  readonly capabilities: ChatCapabilities;
}

/** A request to continue a text (legacy completions). `ChatRequest` has the parameters of generation; its messages hold the prompt. */
export interface TextCompletionRequest extends ChatRequest {
  /** Text, or token ids where the engine supports them. */
  readonly prompt: string | readonly number[];
  /** Text that follows the completion, where the engine supports it. */
  readonly suffix: string | undefined;
}

/** What an engine supports of legacy completions, beside text prompts. */
export interface TextCompletionSupport {
  readonly tokens: boolean;
  readonly suffix: boolean;
}

/** What surrounds one generation. */
export interface EngineContext {
  readonly requestId: string;
  /** Whose request it is: what an engine remembers of one project, no other may learn of. */
  readonly project: string;
  readonly model: ChatModel;
  /**
   * The body as the caller sent it, unknown fields of a lenient server included; only that files and images are in their place where
   * the engine cannot fetch them. Engines that speak the interface forward it.
   */
  readonly wire: ChatCompletionCreateParams;
  /** Which line of which batch it is, where it is one. */
  readonly batchLine?: { readonly batch: string; readonly customId: string } | undefined;
  /** Records the name of the upstream that the engine uses for this request, for the header `x-modelwire-upstream` and the log; then, if its attempt fails, why, such as `ECONNREFUSED`. */
  reportUpstream?(name: string, failure?: string): void;
  /** Engines in front of upstreams report their requests here, for metrics and traces. Undefined where nothing is observed. */
  readonly observer?: UpstreamObserver | undefined;
  /** Aborted at once when the caller leaves. An engine stops its work then; what it throws afterwards is ignored. */
  readonly signal: AbortSignal;
}

/** What an engine says while it generates. `choice` is the index in `choices`, below `request.n`. */
export type ChatEvent =
  /** `tokens`: how many tokens this text is, 1 unless said; the kit counts them where it enforces the token limit. */
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
  /** Opens the tool call at `index` of the message. Its arguments (function) or input (custom) follow as `tool_input`. */
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
  /** The deprecated single function call. An engine whose `functions` are emulated never says it: it calls a tool. */
  | {
      readonly type: 'function_call';
      readonly choice: number;
      readonly name?: string;
      readonly text?: string;
      readonly tokens?: number;
    }
  /** A piece of speech. The first of a choice says its `id`; `data` is of the format asked for; `tokens` are those of the transcript. */
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
  /** What the text of a choice cites: positions in all of it, in characters. After the text. */
  | { readonly type: 'annotations'; readonly choice: number; readonly annotations: readonly UrlCitationAnnotation[] }
  /** Fields of a delta that the interface does not name (for instance an engine's reasoning text): kept as they are. */
  | { readonly type: 'extra'; readonly choice: number; readonly delta: Readonly<Record<string, unknown>> }
  /** Exactly one for each choice, after all else of that choice. */
  | { readonly type: 'finish'; readonly choice: number; readonly reason: FinishReason }
  /**
   * For the whole request; the last one counts. An engine that knows the prompt's tokens before the reply may say so at once, with 0
   * completion tokens: a reply that is cut off or abandoned has its usage then. Without it the reply has none: nothing is made up.
   */
  | { readonly type: 'usage'; readonly usage: CompletionUsage }
  /** Facts of the reply as a whole; before the first event of a choice if they are to be in every chunk. */
  | { readonly type: 'meta'; readonly system_fingerprint?: string; readonly service_tier?: ServiceTier };

/** A reply that an engine already has in the wire's shape. The kit sets `id`, `created` and `model`, and keeps the rest. */
export type Relayed =
  | { readonly kind: 'whole'; readonly completion: Readonly<Record<string, unknown>> }
  /**
   * Each item is what arrived together: the `data` payloads (JSON texts of chunks) without `[DONE]`, which the end of the
   * iteration stands for. An error frame of the upstream is thrown as a `RequestError`, a cut stream likewise.
   */
  | { readonly kind: 'stream'; readonly payloads: AsyncIterable<readonly string[]> };

/** What an engine gives: events as they come, each alone or in lists, or the list of all. */
export type ChatEvents = AsyncIterable<ChatEvent | readonly ChatEvent[]> | readonly ChatEvent[];

/**
 * A chat model behind the kit.
 *
 * `generate` must: stop when `context.signal` aborts; throw a `RequestError` for a failure the caller may see (anything
 * else becomes a 500 without internals); end each choice with one `finish`. Before the first event it may throw freely:
 * that still is an HTTP status. After it, a throw becomes an error frame.
 *
 * `relay`, where present, is used instead when the kit has nothing to enforce itself: the reply passes through unassembled.
 * `wire.stream` says which kind to give; the kit always wants usage (the engine asks its upstream for `include_usage`).
 */
export interface ChatEngine {
  readonly name: string;
  /** Whether its models run in another process. Default false. */
  readonly isRemote?: boolean;
  /** Asked at each request; cheap. */
  models(): readonly ChatModel[];
  /** False while `models()` may still lack some, for engines that ask other servers for their models. Default true. */
  readonly modelsKnown?: boolean;
  /** A model that is served and not listed, for engines whose models nobody could list. Asked where no engine lists it. */
  unlisted?(id: string): ChatModel | undefined;
  /**
   * The error for a model that the engine does not list, where it cannot know whether it has the model, for instance because its upstream is
   * unreachable. Asked where no engine lists it; without an error the model does not exist.
   */
  unavailable?(id: string): RequestError | undefined;
  /** Events one by one, or those that are there at once as a list: that is cheaper, and cheapest where the whole reply is one. */
  generate(request: ChatRequest, context: EngineContext): ChatEvents;
  relay?(request: ChatRequest, context: EngineContext): Promise<Relayed>;
  /** Legacy completions: the engine continues a text without a chat template. Without it, they get a 400 that names the model. */
  readonly textCompletions?: TextCompletionSupport;
  /** Continues a text, with `text`, `finish`, `usage` and `meta` events. Where present, `textCompletions` says what it supports. */
  complete?(request: TextCompletionRequest, context: EngineContext): ChatEvents;
  /**
   * Tokens of the prompt, for an engine that can count them without generating, at once and in less than a millisecond; undefined where it
   * cannot. Used for rate limits, and for the usage of a reply that is cut off. Default: estimated for limits, and not told.
   */
  countPromptTokens?(request: ChatRequest): number | undefined;
  /** Requests that may run at once; more wait in the queue. Default: the server's `concurrency`. */
  readonly concurrency?: number;
  close?(): Promise<void>;
}
