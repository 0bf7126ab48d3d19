import type { PassThroughModel } from '@modelwire/ports';
import type { CircuitBreakerOptions, CircuitBreakers } from './circuit-breakers.ts';
import type { UpstreamServer } from './options.ts';

/** Options of `createUpstreamPassThrough`. */
export interface UpstreamPassThroughOptions {
  readonly upstreams: readonly PassThroughServer[];
  /**
   * Paths below `/v1` that are forwarded, such as `/embeddings` or `/audio/*`; `*` at the end stands for any rest. Default: every path.
   */
  readonly paths?: readonly string[];
  /** The models of the upstreams. Default: none is known, so that only `paths` of an upstream decide, or its being the only one. */
  readonly catalog?: ModelCatalog;
  /**
   * When an upstream is paused for a model: options, or circuit breakers that are shared with other engines. Requests that are forwarded
   * whatever their model have a circuit of their own at each upstream, under the name `*`.
   */
  readonly circuitBreaker?: CircuitBreakerOptions | CircuitBreakers;
}

/** An upstream, as `createUpstream` takes it. */
export interface PassThroughServer extends UpstreamServer {
  /** Paths below `/v1` that are always forwarded to this upstream, whatever the model, such as `/rerank` or `/audio/*`. Default: none. */
  readonly paths?: readonly string[];
}

/** Which upstreams serve which models. Asked for each request. */
export interface ModelCatalog {
  /** The upstreams that serve a model, of which one is drawn by weight; empty if none does. */
  find(model: string): readonly CatalogEntry[];
  /** Whether the models of all upstreams are known. While they are not, a model that is not found may exist. */
  readonly isComplete: boolean;
  /** Whether a model may have another name at an upstream. */
  readonly hasRenamedModels: boolean;
  /** Models that the upstreams serve for other purposes than chat. */
  otherModels(): readonly PassThroughModel[];
}

export interface CatalogEntry {
  /** Name of the upstream. */
  readonly upstream: string;
  /** What it calls the model. */
  readonly model: string;
}
