import type { CapabilitiesInit } from '@modelwire/ports';
import type { CircuitBreakerOptions, CircuitBreakers } from '../attempts/circuit-breakers.ts';
import type { RoutingOptions, RoutingPolicy } from '@modelwire/adapter-kit/routing';
import type { UpstreamPreset } from './presets.ts';

/** What `createUpstream` takes. Times are milliseconds. Everything is checked at once, with an error that names the option. */
export interface UpstreamOptions {
  /** Name of the engine in logs, and the default `owned_by` of its models. Default: `upstream`. */
  readonly name?: string;
  /** The servers to forward to, at least one. */
  readonly upstreams: readonly UpstreamServer[];
  /** The models by the ID that clients use. At least one. */
  readonly models: Readonly<Record<string, UpstreamModel>>;
  /**
   * Maximum retries over all servers, only before the first byte of a reply. Default: 2. A failed attempt may have been processed: all attempts
   * have the same `idempotency-key` for servers that support it.
   */
  readonly retries?: number;
  /** When an upstream is paused for a model: options, or circuit breakers that are shared with other engines. */
  readonly circuitBreaker?: CircuitBreakerOptions | CircuitBreakers;
  readonly routing?: RoutingOptions;
  /** Called with the name of an upstream and a finish reason whose meaning is not known. A reply that is otherwise whole ends with `stop`. */
  readonly onUnknownFinishReason?: (upstream: string, reason: string) => void;
}

/** One server: OpenAI-compatible, such as vLLM, Ollama, llama.cpp, a hosted service or another Modelwire, or with the Messages API. */
export interface UpstreamServer {
  /** Used in `models` and in logs; unique. Default: `upstream-1` for the first, and so on. */
  readonly name?: string;
  /** With the version prefix, for instance `http://127.0.0.1:8000/v1`. */
  readonly baseURL: string;
  /**
   * The kind of server, which determines the capabilities of its models. `hosted` is the common subset of hosted services. Default: all
   * parameters. `detectPreset` detects it from the responses of a server.
   */
  readonly preset?: UpstreamPreset;
  /**
   * Whether the server implements `/responses`. If all servers of a model do, requests for responses are forwarded unchanged; otherwise they
   * are translated to chat requests. Default: false.
   */
  readonly responses?: boolean;
  /**
   * `messages`: the server speaks the Messages API of Anthropic, and its models serve requests for messages only, which are forwarded
   * unchanged. `preset`, `responses`, `promptCacheKey`, `batch` and `structuredOutputs` do not apply to it. Default: it is OpenAI-compatible.
   */
  readonly dialect?: 'messages';
  /**
   * What else `prompt_cache_key` becomes there. `cache_salt`: the salt of the cache of vLLM, which requests with different keys then do not share.
   * `slots`: the number of slots of llama.cpp, one of which the key selects (`id_slot`); requests wait for theirs. Default: nothing.
   */
  readonly promptCacheKey?: 'cache_salt' | { readonly slots: number };
  /** `forward`: lines of batches are submitted to the batch API of the server. Default: they are sent like other requests. */
  readonly batch?: 'forward';
  /**
   * How its replies become what `response_format`, strict functions and grammars of custom tools require. `guaranteed`: the server kit repairs
   * them. `native`: the schema is forwarded, and an invalid reply is an error. `off`: replies are not checked. Default: that of the preset,
   * `native` for servers with grammars; otherwise `guaranteed`.
   */
  readonly structuredOutputs?: 'guaranteed' | 'native' | 'off';
  /** Sent as `Authorization: Bearer …`, or as `x-api-key` with the dialect `messages`. Default: no such header. Never in an error or a log. */
  readonly apiKey?: string;
  /** Sent with each request. `authorization` replaces the one of `apiKey`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Weight among the `upstreams` of a model; 0: used only if the others fail. Default: 1. */
  readonly weight?: number;
  /** Maximum number of connections; further requests wait. Default: unlimited, since the upstream limits concurrency. */
  readonly connections?: number;
  readonly timeouts?: {
    /** Timeout for connecting. Default: 5,000. */
    readonly connect?: number;
    /** Timeout for the headers of the reply, which arrive after the whole generation if the reply is not streamed. Default: 600,000. */
    readonly firstByte?: number;
    /** Timeout between two reads of a reply; comments count. Default: 120,000. */
    readonly idle?: number;
  };
}

/** A model and its upstreams. */
export interface UpstreamModel {
  /** Its name at the servers, or a name per server. Default: the ID that clients use. */
  readonly upstreamModel?: string | Readonly<Record<string, string>>;
  /** How a request chooses among `upstreams`. Default: `affinity`. */
  readonly routing?: RoutingPolicy;
  /** Names of the servers that share its requests. Default: all that are not in `fallback`. */
  readonly upstreams?: readonly string[];
  /** Names of the servers to try after those, in this order. Default: none. */
  readonly fallback?: readonly string[];
  /** Capabilities that differ from the common subset of the presets of its servers. Without a preset, a server supports everything. */
  readonly capabilities?: CapabilitiesInit;
  /** Unix seconds. Default: creation time of the engine. */
  readonly created?: number;
  /** Default: the engine's `name`. */
  readonly owned_by?: string;
}
