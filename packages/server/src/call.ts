import type { ResolvedServiceTier } from './limits/tiered-queue.ts';
import { isStorageUnavailable } from '@modelwire/ports';
import type { BlobSegment, EngineBatchLine, Principal, RequestObservation, RequestTrace } from '@modelwire/ports';
import type { ResponseObject } from '@modelwire/schema/types';
import type { RequestLogEntry } from './request-log.ts';
import type { ClientConnection } from './limits/client-connection.ts';
import type { RecentResponse } from './limits/recent-response.ts';
import type { ActiveSession } from './sessions/sessions.ts';
import type { RequestError } from './errors.ts';

/** A file of a form. Its bytes are stored, and reserved for a day. */
export interface ReceivedFile {
  readonly filename: string;
  readonly mediaType: string | undefined;
  readonly segment: BlobSegment;
}

/** The batch line that a request executes. */
export type BatchLine = EngineBatchLine;

/** The log record of a request while it is filled in. */
export type LogRecord = { -readonly [Field in keyof RequestLogEntry]: RequestLogEntry[Field] };

/** Shared by all requests without a form. */
export const noFiles: ReadonlyMap<string, ReceivedFile> = new Map();

/** A request as it was sent, independent of the runtime. Adapters create one for each request. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, or an absolute URL. */
  readonly url: string;
  /** The URL that the client requested, where an app mounts the server below a path and removes that from `url`. */
  readonly originalUrl?: string | undefined;
  /** Values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** By its lower-case name. */
  readonly header: (name: string) => string | null;
  /** The address that the connection comes from: that of the last proxy, where there are any. Undefined where it is unknown. */
  remoteAddress?(): string | undefined;
  /** All headers, with lower-case names. */
  headers(): Iterable<readonly [string, string]>;
  /**
   * The JSON body of a request that does not arrive by HTTP, or a promise of it: then `bytes` is not called. @throws a 400 for invalid
   * JSON.
   */
  parsedBody?(): unknown;
  /**
   * The body in chunks, read on demand. Ending the iteration early leaves the rest unread. It need not end when the client disconnects: readers have to
   * stop when `client` aborts.
   */
  bytes(): AsyncIterable<Uint8Array>;
  /** The recent response of a WebSocket connection. */
  readonly recentResponse?: RecentResponse | undefined;
  /** Aborted when the client disconnects before the response was sent. */
  readonly client: ClientConnection;
}

/** The reading end of a stream. */
export interface Pipe<Chunk> {
  /** The next chunk, when it is available; undefined at the end. Rejects if the source failed: the response is then incomplete. */
  next(): Promise<Chunk | undefined>;
  /** Cancels reading: the client has disconnected. */
  cancel(reason: unknown): void;
  /** Calls back when the reader was disconnected because it read nothing for too long. */
  onStall(listener: () => void): void;
}

/** A background response whose worker sends this request: what is stored of it, and where its events and its outcome go. */
export interface BackgroundRun extends Pick<ResponseObject, 'id' | 'created_at'> {
  readonly isStreamed: boolean;
  /** Stores that the request was accepted. */
  begin(): Promise<void>;
  /** Number of the next event. */
  nextSequence(): number;
  add(event: { readonly sequenceNumber: number; readonly openJson: string }): void;
  /** Stores added events. Waits only if many are not stored yet. False if another worker has the job. */
  flush(): boolean | Promise<boolean>;
  isLost(): boolean;
  /** Stores the response that has ended, with its last events. */
  end(response: ResponseObject): Promise<void>;
}

/** The stream that exists since an idempotency key was claimed for it. */
export interface ClaimedStream {
  readonly id: string;
  /** Deletes it and releases the key: the request had no effect. */
  release(): Promise<void>;
}

/** The start of a stream whose server died, to which the rest is generated. */
export interface LostStream {
  readonly id: string;
  /** Position of the next event. Before the first one, nothing is known. */
  readonly next: number;
  /** Unix seconds. */
  readonly created: number | undefined;
  readonly text: string;
  /** Tokens of the text. */
  readonly tokens: number;
}

/** An authenticated, parsed request. */
export interface Call<Body = undefined, Query = unknown> {
  readonly requestId: string;
  /** When the request was received, by `performance.now()`. */
  readonly startedAt: number;
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
  /** Set for background responses. */
  readonly background?: BackgroundRun | undefined;
  /** Set for a stream with an idempotency key. */
  readonly claimedStream?: ClaimedStream | undefined;
  /** Set for the rest of a stream whose server died. */
  readonly lostStream?: LostStream | undefined;
  /** Undefined if nothing is observed. */
  readonly observation?: RequestObservation | undefined;
  readonly request: HttpRequest;
  /** A header of the request, by its lower-case name. */
  readonly header: HttpRequest['header'];
}

/** A request that the server makes to itself, without HTTP. */
export interface InternalRequest extends Partial<Pick<Call, 'tier' | 'batchLine' | 'background' | 'lostStream'>> {
  /** A principal whose limits were checked when the work was accepted, or a connection, whose key is authenticated and limited by each request. */
  readonly from: { readonly principal: Principal; readonly trace?: RequestTrace } | InternalConnection;
  /** The JSON body, or a promise of it. Called after the rate limit. @throws a 400 for invalid JSON */
  readonly body: () => unknown;
  readonly client: ClientConnection;
  /** Milliseconds until a request with this error is sent again; undefined if the error is its result. An attempt is not counted as a request. */
  readonly retryDelayOf?: ((error: RequestError) => number | undefined) | undefined;
  /** Additional fields of the log entry. */
  readonly logRecord?: Partial<LogRecord>;
}

/** A WebSocket connection. The events of its replies are JSON texts, one a line. */
interface InternalConnection extends Pick<HttpRequest, 'header' | 'headers'> {
  readonly recentResponse: RecentResponse;
}

/** A body, or the events of a stream. */
export interface InternalReply {
  readonly status: number;
  readonly requestId: string;
  readonly body: unknown;
  /** Each chunk has whole events. */
  readonly events: Pipe<string> | undefined;
  /** The error, if the status is not 200. */
  readonly error: RequestError | undefined;
  /** Milliseconds until the request is sent again; undefined if this is its result. */
  readonly retryInMs: number | undefined;
}

/** @throws only if the client was aborted before there was a response. */
export type InternalDispatch = (request: InternalRequest) => Promise<InternalReply>;

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
