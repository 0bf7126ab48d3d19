import type { ResolvedServiceTier } from './limits/engine-queue.ts';
import { isStorageUnavailable } from '@modelwire/ports';
import type { BlobSegment, Principal, RequestObservation } from '@modelwire/ports';
import type { ResponseItem } from '@modelwire/schema/types';
import type { RequestLogEntry } from './request-log.ts';
import type { ClientConnection } from './limits/client-connection.ts';
import type { ActiveSession } from './sessions/sessions.ts';
import type { RequestError } from './errors.ts';

/** A file of a form. Its bytes are stored, and reserved for a day. */
export interface ReceivedFile {
  readonly filename: string;
  readonly mediaType: string | undefined;
  readonly segment: BlobSegment;
}

/** The batch line that a request executes. */
export interface BatchLine {
  readonly batch: string;
  readonly customId: string;
}

/** The log record of a request while it is filled in. */
export type LogRecord = { -readonly [Field in keyof RequestLogEntry]: RequestLogEntry[Field] };

/** Shared by all requests without a form. */
export const noFiles: ReadonlyMap<string, ReceivedFile> = new Map();

/** Responses that were not stored and can be continued on the connection that created them. */
export interface RecentResponses {
  /** The whole conversation up to a response; undefined if it is not stored. */
  find(id: string): readonly ResponseItem[] | undefined;
  /** Stores the conversation up to a response, replacing the previous one. */
  save(id: string, items: readonly ResponseItem[]): void;
  clear(): void;
}

/** A request as it was sent, for handlers that read its body themselves. */
interface RawRequest {
  /** Path and query, or an absolute URL. */
  readonly url: string;
  /** The address that the connection comes from; undefined where it is unknown. */
  remoteAddress?(): string | undefined;
  /** All headers, with lower-case names. */
  headers(): Iterable<readonly [string, string]>;
  /** The body as it arrives, read on demand. @throws a 499 when the client disconnects before its end. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Of a WebSocket connection. */
  readonly recentResponses?: RecentResponses | undefined;
}

/** An authenticated, parsed request. */
export interface Call<Body = undefined, Query = unknown> {
  readonly requestId: string;
  /** As sent: `HEAD` requests go to the endpoints of `GET`. */
  readonly method: string;
  readonly principal: Principal;
  /** Set when the request is authenticated by a session of the console. */
  readonly session?: ActiveSession | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** Parsed by the contract. */
  readonly query: Query;
  readonly body: Body;
  /** The files of a form, by field. Their bytes are stored, and removed unless a record refers to them. */
  readonly files: ReadonlyMap<string, ReceivedFile>;
  /** Its signal aborts when the client disconnects before the response is sent, and when the drain timeout of the server expires. */
  readonly client: ClientConnection;
  /** Response headers. Handlers can add headers until the response starts. */
  readonly responseHeaders: Record<string, string>;
  /** The log record of the request. Handlers add fields. */
  readonly logRecord: LogRecord;
  /** Overrides the service tier of the request. */
  readonly tier?: ResolvedServiceTier | undefined;
  /** Set for lines of batches. */
  readonly batchLine?: BatchLine | undefined;
  /** Undefined if nothing is observed. */
  readonly observation?: RequestObservation | undefined;
  readonly request: RawRequest;
  /** A header of the request, by its lower-case name. */
  readonly header: (name: string) => string | null;
}

/** Records in the log record of a request which upstream the engine uses, and why its attempt failed if it did. */
export function reportUpstreamTo(logRecord: LogRecord): (name: string, failure?: string) => void {
  return (name, failure) => {
    logRecord.upstream = name;
    if (failure !== undefined) logRecord.upstreamFailure = `${name}: ${failure}`;
  };
}

/** Logs the error's code, the storage that failed and why, and the stack of an internal error. */
export function logError(logRecord: LogRecord, error: RequestError): void {
  logRecord.error = error.code;
  if (isStorageUnavailable(error.cause)) {
    logRecord.outage = error.cause.outage;
    return;
  }
  if (error.status >= 500) logRecord.trace = stackTraceOf(error.cause);
}

/** Name and stack frames of an error, without its message, which may contain client data. */
function stackTraceOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const frames = thrown.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return [thrown.name, ...frames].join('\n');
}
