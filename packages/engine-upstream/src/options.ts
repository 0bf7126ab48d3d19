import type { CapabilitiesInit } from '@modelwire/ports';
import type { CircuitBreakerOptions, CircuitBreakers } from './circuit-breakers.ts';
import type { UpstreamPreset } from './presets.ts';

/** What `createUpstream` takes. Times are milliseconds. Everything is checked at once, with an error that names the option. */
export interface UpstreamOptions {
  /** Names the engine in logs, and is the default `owned_by` of its models. Default: `upstream`. */
  readonly name?: string;
  /** The servers to forward to, at least one. */
  readonly upstreams: readonly UpstreamServer[];
  /** Which id that clients use goes where, under which name. At least one. */
  readonly models: Readonly<Record<string, UpstreamModel>>;
  /**
   * Further attempts after the first, all servers together, and only before the first byte of a reply. Default: 2.
   * An attempt that broke after it was sent may have run: attempts share one `idempotency-key` for servers that honour it.
   */
  readonly retries?: number;
  /** When an upstream is paused for a model: options, or circuit breakers that are shared with other engines. */
  readonly circuitBreaker?: CircuitBreakerOptions | CircuitBreakers;
}

/** One server of the interface: vLLM, Ollama, llama.cpp, a hosted service, another Modelwire. */
export interface UpstreamServer {
  /** Used in `models` and in logs; unique. Default: `upstream-1` for the first, and so on. */
  readonly name?: string;
  /** With the version prefix, for instance `http://127.0.0.1:8000/v1`. */
  readonly baseURL: string;
  /**
   * The kind of server, which determines what its models can do. `hosted` is what hosted services have in common. Default: it
   * accepts every parameter. `detectPreset` finds it from the answers of a server.
   */
  readonly preset?: UpstreamPreset;
  /**
   * Whether the server serves `/responses` itself. Requests for responses then reach it as they are, where all servers of their model do;
   * otherwise they are translated to chat requests. Default: false.
   */
  readonly responses?: boolean;
  /** Sent as `Authorization: Bearer …`. Default: no such header. Never in an error or a log. */
  readonly apiKey?: string;
  /** Sent with each request. `authorization` replaces the one made of `apiKey`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Share of the requests among the `upstreams` of a model; at 0 only when the others fail. Default: 1. */
  readonly weight?: number;
  /** Connections at most; further requests wait for one. Default: unbounded, since the server bounds what runs at once. */
  readonly connections?: number;
  readonly timeouts?: {
    /** Until the connection stands. Default: 5,000. */
    readonly connect?: number;
    /** From there to the reply's headers; for a whole reply that is all its generation. Default: 600,000. */
    readonly firstByte?: number;
    /** Silence inside a reply; a comment counts as a sign of life. Default: 120,000. */
    readonly idle?: number;
  };
}

/** One model: where it is served. */
export interface UpstreamModel {
  /** Its name there, or a name for each server. Default: the id clients use. */
  readonly upstreamModel?: string | Readonly<Record<string, string>>;
  /** Names of the servers that share its requests by weight. Default: all that are not its `fallback`. */
  readonly upstreams?: readonly string[];
  /** Names of the servers to try after those, in this order. Default: none. */
  readonly fallback?: readonly string[];
  /** What differs from what its servers can do by their `preset`: the least of them; without presets, from everything. */
  readonly capabilities?: CapabilitiesInit;
  /** Unix seconds. Default: when the engine was made. */
  readonly created?: number;
  /** Default: the engine's `name`. */
  readonly owned_by?: string;
}
