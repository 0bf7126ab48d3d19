import type { StoredRequest } from './stored-request.ts';

/** Consecutive events of a stream, of which up to 64 are stored together. Each is one line of JSON. */
export interface EventSegment {
  /** Position of the first event in the stream, from 0. */
  readonly first: number;
  /** Never empty. */
  readonly events: readonly string[];
}

/** Why a stream ended early, as its readers are told. */
export interface StreamFailure {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

/** How long a stream lasts, in milliseconds. */
export interface StreamTimes {
  /** How long its writer holds it. After that the stream is lost, unless the lease was renewed. */
  readonly leaseMs: number;
  /** How long it can be read after its end. */
  readonly keepMs: number;
}

/** `lost`: its writer has not renewed the lease in time, and cannot continue. */
export type EventStreamStatus = 'open' | 'lost' | 'ended' | 'failed';

/** A stream, and events of it. */
export interface EventStreamPage {
  readonly status: EventStreamStatus;
  /** Whether it is that of a chat completion, and not of a background response. */
  readonly isOfCompletion: boolean;
  /** Of a stream that failed. */
  readonly failure: StreamFailure | undefined;
  /** Milliseconds since its end; undefined before. */
  readonly endedMsAgo: number | undefined;
  /** Milliseconds since a reader on another server was last noted; undefined if there was none. */
  readonly followedMsAgo: number | undefined;
  /** The events that follow `after`, in whole segments. */
  readonly segments: readonly EventSegment[];
  /** Whether further segments may be stored already. */
  readonly hasMore: boolean;
}

/** Who writes a stream: the server that created it, which is the default, or the one that took it over. */
export type StreamWriterRole = 'creator' | 'successor';

/**
 * The events of the streams of one project, which clients can read again from any position and on any server: those of chat completions, which
 * are written here, and those of background responses, which are written by their {@link ResponseStore}. All times are by the clock of the
 * store.
 */
export interface EventStreamStore {
  /** Creates the stream of a chat completion. Durable when it resolves. */
  create(id: string, times: StreamTimes): Promise<void>;
  /** Extends the lease. Returns false if it was lost: stop writing. */
  renew(id: string, times: StreamTimes, writer?: StreamWriterRole): Promise<boolean>;
  /** Stores the request of the stream, so that another server can continue it. Returns false if the lease was lost. */
  storeRequest(id: string, request: StoredRequest): Promise<boolean>;
  /**
   * Leases a stream whose status is `lost` and takes its request, so that it is continued once. Undefined for any other stream, and for one
   * without a request.
   */
  takeOver(id: string, times: StreamTimes): Promise<StoredRequest | undefined>;
  /** Appends events; those of a call that is repeated are not appended again. Durable when it resolves. Returns false if the lease was lost. */
  append(id: string, segment: EventSegment, writer?: StreamWriterRole): Promise<boolean>;
  /**
   * Ends the stream, with its last events, and keeps it for `keepMs`. Can be repeated. An idempotency key that refers to a stream that failed can be claimed again after
   * `holdKeyMs`; default: immediately. Returns false if the lease was lost.
   */
  end(
    id: string,
    init: {
      readonly segment?: EventSegment | undefined;
      readonly failure?: StreamFailure | undefined;
      readonly keepMs: number;
      readonly holdKeyMs?: number | undefined;
    },
    writer?: StreamWriterRole,
  ): Promise<boolean>;
  /** Ends a stream whose status is `lost`. Returns false for any other. */
  endLost(id: string, init: { readonly failure: StreamFailure; readonly keepMs: number }): Promise<boolean>;
  /** Notes that a reader follows the stream on another server than its writer's. */
  follow(id: string): Promise<void>;
  /** The stream, and up to `limit` segments with events after the position `after`. Undefined if it does not exist or was kept long enough. */
  read(id: string, query: { readonly after: number; readonly limit: number }): Promise<EventStreamPage | undefined>;
  /** Deletes the stream of a chat completion. Returns false if it does not exist. */
  delete(id: string): Promise<boolean>;
}
