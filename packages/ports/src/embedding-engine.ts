import type { BatchProvider, EngineBatchLine } from './batch-provider.ts';
import type { ListedModel } from './listed-model.ts';
import type { UpstreamObserver } from './observation.ts';
import type { Support } from './chat-capabilities.ts';

/** A model that turns text into vectors. */
export interface EmbeddingModel extends ListedModel {
  /** Length of an embedding without `dimensions`. Undefined where it is unknown. */
  readonly size?: number | undefined;
  /**
   * `dimensions` of a request: `native` is passed to the engine, `emulated` is done by the server (the vector is truncated and normalized to
   * length 1), `refused` is a 400. Default `native`.
   */
  readonly dimensions?: Support;
  /**
   * Whether inputs may be arrays of token IDs. Clients send IDs of a public vocabulary that the model need not share, so an engine that runs
   * the model itself refuses them unless it knows the vocabulary. Default `native`.
   */
  readonly tokens?: 'native' | 'refused';
}

/** One input: text, or token IDs. */
export type EmbeddingInput = string | readonly number[];

/** A parsed request: 1 to 2,048 inputs, none empty. Field names are those of the API. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly inputs: readonly EmbeddingInput[];
  /** Undefined if the request has none, or if the server does it. */
  readonly dimensions: number | undefined;
  /** Format in which the client receives the vectors. A hint: the server converts what the engine returns. */
  readonly encoding_format: 'float' | 'base64';
  readonly user: string | undefined;
}

export interface EmbeddingContext {
  readonly requestId: string;
  readonly project: string;
  /** Unknown fields of the request, of a server that keeps them. Engines that forward requests send them along. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Records the name of the upstream that the engine uses, for the header `x-modelwire-upstream` and the log; then, if its attempt fails, why, such as `ECONNREFUSED`. */
  reportUpstream?(name: string, failure?: string): void;
  /** The batch and the line, if the request is a line of a batch. */
  readonly batchLine?: EngineBatchLine | undefined;
  /** Engines in front of upstreams report their requests here, for metrics and traces. Undefined where nothing is observed. */
  readonly observer?: UpstreamObserver | undefined;
  /** Aborted when the client disconnects. Errors that the engine throws afterwards are ignored. */
  readonly signal: AbortSignal;
}

export interface EmbeddingReply {
  /** One for each input, in their order, all of the same length. Numbers or 32-bit floats. */
  readonly embeddings: readonly (readonly number[] | Float32Array)[];
  /** Tokens of all inputs. Undefined where the engine does not know: the reply then has no usage. */
  readonly promptTokens: number | undefined;
}

/** Serves embedding models. Throws a `RequestError` for failures that clients may see. */
export interface EmbeddingEngine {
  readonly name: string;
  /** Whether its models run in another process: its requests to that process get trace headers. Default false. */
  readonly isRemote?: boolean;
  /** Called for each request, so it must be fast. */
  models(): readonly EmbeddingModel[];
  /** A model that `models()` does not list, for engines whose models cannot be listed. Called if no engine lists the ID. */
  resolveModel?(id: string): EmbeddingModel | undefined;
  embed(request: EmbeddingRequest, context: EmbeddingContext): Promise<EmbeddingReply>;
  /** The batch APIs of the upstreams of a model to which lines are submitted, the first choice first. Default: none. */
  batchProviders?(model: string): readonly BatchProvider[];
  /** Maximum number of concurrent requests; further ones wait in the queue. Default: the server's `engineConcurrency`. */
  readonly concurrency?: number;
  close?(): Promise<void>;
}
