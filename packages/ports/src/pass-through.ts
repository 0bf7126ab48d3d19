import type { ListedModel } from './listed-model.ts';
import type { UpstreamObserver } from './observation.ts';

/** An upstream that a request is forwarded to. */
export interface PassThroughTarget {
  /** Name of the upstream, for logs and the header `x-modelwire-upstream`. */
  readonly upstream: string;
  /** What the upstream calls the model; undefined if the request is forwarded whatever model it names. */
  readonly model: string | undefined;
}

/** A request to forward. Headers for one connection, of credentials and of the client's origin have been removed. */
export interface PassThroughRequest {
  readonly method: string;
  /** Path below `/v1` with its query, such as `/embeddings?x=1`. Checked: it has no dot segments, empty segments or encoded separators. */
  readonly path: string;
  /** Names are lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a request without a body. Its iteration may end early when the upstream replies before it has read everything. */
  readonly body: AsyncIterable<Uint8Array> | undefined;
  readonly requestId: string;
  /** Records in the log why the upstream failed, such as `ECONNREFUSED`, `status 503` or `circuit breaker open`. */
  reportFailure?(reason: string): void;
  /** Reports the request to the upstream, for metrics and traces. Undefined where nothing is observed. */
  readonly observer?: UpstreamObserver | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The reply of an upstream. */
export interface PassThroughReply {
  readonly status: number;
  /** Names are lower-case. Headers for one connection are removed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the exchange when its iteration ends early. Throws a `RequestError` when the upstream breaks off its reply. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A model that requests can be forwarded for. */
export type PassThroughModel = ListedModel;

/** Forwards requests to paths under `/v1` that the server does not serve itself. */
export interface PassThrough {
  /** Whether requests to a path below `/v1`, such as `/embeddings`, are forwarded at all. */
  accepts(path: string): boolean;
  /**
   * The upstream for a path and the model that a request names. Without a model: the upstream that is used whatever the model is, or
   * undefined if the model decides. With a model: undefined if no upstream serves it.
   *
   * @throws RequestError (503) while it is unknown which upstream serves the model.
   */
  find(path: string, model?: string): PassThroughTarget | undefined;
  /** Whether a model may have another name at its upstream: each form is then read up to its model. */
  readonly mayRenameModels: boolean;
  /** Models that the upstreams serve for other purposes than chat. Cheap: called for each listing. */
  models(): readonly PassThroughModel[];
  /**
   * Sends a request and resolves with the head of the reply, whatever its status.
   *
   * @throws RequestError if there is no reply, or the reason of the signal.
   */
  forward(target: PassThroughTarget, request: PassThroughRequest): Promise<PassThroughReply>;
  /** Closes connections once their requests have ended. */
  close?(): Promise<void>;
}
