import type { ResolvedServiceTier } from './limits/engine-queue.ts';
import type { RequestError } from './errors.ts';
import type { Principal } from '@modelwire/ports';
import type { BatchLine, LogRecord } from './call.ts';
import type { ClientConnection } from './limits/client-connection.ts';

/** A request that the server sends to itself on behalf of a principal. */
export interface InternalRequest {
  /** The principal that usage is recorded for. Its limits were checked when the work was accepted. */
  readonly principal: Principal;
  /** The parsed JSON body. */
  readonly body: unknown;
  readonly client: ClientConnection;
  readonly tier: ResolvedServiceTier;
  readonly batchLine?: BatchLine | undefined;
  /** Milliseconds until a request with this error is sent again; undefined if the error is its result. An attempt is not counted as a request. */
  readonly retryDelayOf?: ((error: RequestError) => number | undefined) | undefined;
  /** Additional fields of the log entry. */
  readonly logRecord?: Partial<LogRecord>;
}

export interface InternalReply {
  readonly status: number;
  readonly requestId: string;
  /** The outcome of an internal request. */
  readonly body: unknown;
  /** The error, if the status is not 200. */
  readonly error: RequestError | undefined;
  /** Milliseconds until the request is sent again; undefined if this is its result. */
  readonly retryInMs?: number | undefined;
}

/** @throws only if the client was aborted before there was a response. */
export type InternalDispatch = (request: InternalRequest) => Promise<InternalReply>;
