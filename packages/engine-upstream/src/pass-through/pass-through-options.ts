import type { PassThroughModel } from '@modelwire/ports';
import type { CircuitBreakerOptions, CircuitBreakers } from '../attempts/circuit-breakers.ts';
import type { UpstreamServer } from '../presets/options.ts';

/** Options of `createUpstreamPassThrough`. */
export interface UpstreamPassThroughOptions {
  readonly upstreams: readonly PassThroughServer[];
  /** Paths below `/v1` that are forwarded, such as `/embeddings` or `/audio/*`; `*` at the end matches any rest. Default: all paths. */
  readonly paths?: readonly string[];
  /** The models of the upstreams. Default: none, so that `paths` select the upstream, or the only upstream is used. */
  readonly catalog?: ModelCatalog;
  /**
   * When an upstream is paused for a model: options, or circuit breakers that are shared with other engines. Requests that are forwarded
   * regardless of their model have a separate circuit at each upstream, with the name `*`.
   */
  readonly circuitBreaker?: CircuitBreakerOptions | CircuitBreakers;
}

/** An upstream, as for `createUpstream`. */
export interface PassThroughServer extends UpstreamServer {
  /** Paths below `/v1` that are always forwarded to this upstream, regardless of the model, such as `/rerank` or `/audio/*`. Default: none. */
  readonly paths?: readonly string[];
}

/** Which upstreams serve which models. Called for each request. */
export interface ModelCatalog {
  /** The upstreams that serve a model, one of which is chosen by weight; empty if none does. */
  find(model: string): readonly CatalogEntry[];
  /** Whether a model may have another name at an upstream. */
  readonly hasRenamedModels: boolean;
  /** Models of the upstreams for other purposes than chat. */
  otherModels(): readonly PassThroughModel[];
}

export interface CatalogEntry {
  /** Name of the upstream. */
  readonly upstream: string;
  /** Name of the model at the upstream. */
  readonly model: string;
}
