import type { UsedTier } from './limits/engine-queue.ts';
import type { RequestError } from './errors.ts';
import type { Principal } from '@modelwire/ports';
import type { BatchLine, LogRecord } from './call.ts';
import type { ClientConnection } from './client-connection.ts';

/** A request that the server makes to itself, for somebody. */
export interface InternalRequest {
  /** The principal that usage is recorded for. Its limits were checked when the work was accepted. */
  readonly principal: Principal;
  /** The parsed JSON body. */
  readonly body: unknown;
  readonly client: ClientConnection;
  readonly tier: UsedTier;
  readonly batchLine?: BatchLine | undefined;
  /** Additional fields of the log entry. */
  readonly logRecord?: Partial<LogRecord>;
}

export interface InternalReply {
  readonly status: number;
  readonly requestId: string;
  /** What an HTTP answer would carry. */
  readonly body: unknown;
  /** Why it is no 200. */
  readonly error: RequestError | undefined;
}

/** @throws when the client was aborted before there was an answer, and only then. */
export type InternalDispatch = (request: InternalRequest) => Promise<InternalReply>;
