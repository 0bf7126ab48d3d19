import { backoff } from './retry.ts';
import { parseBaseURL } from './url.ts';
import type { ErrorDetails } from '../errors.ts';
import type { HttpMethod, PathParams, Query, Route } from './url.ts';

/** Timeouts in milliseconds; 0 disables one. Every byte that arrives counts, also of heartbeats. */
export interface Timeouts {
  /** Until the response headers, for each attempt. Default 10 minutes: the headers of a response that is not streamed arrive when it is ready. */
  readonly headers?: number | undefined;
  /** From the headers to the first byte of the body, for each attempt. Default 5 minutes. */
  readonly firstByte?: number | undefined;
  /** Between two reads of the body. Time without a pending read does not count. Default 2 minutes. */
  readonly idle?: number | undefined;
  /** For the whole call with its retries. Default 10 minutes; none for streams and raw responses. */
  readonly total?: number | undefined;
}

/** What `fetch` takes as a body. Derived from `RequestInit`, which the types of browsers and of Node both have. */
export type Body = NonNullable<RequestInit['body']>;

/** The HTTP request that middleware receives. Each attempt has its own copy. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: HttpMethod;
  /** May be changed. */
  readonly headers: Headers;
  readonly body: Body | undefined;
  readonly signal: AbortSignal;
}

/** Wraps each attempt. The first middleware of the list is the outermost. */
export type Middleware = (
  request: OutgoingRequest,
  next: (request: OutgoingRequest) => Promise<Response>,
) => Promise<Response>;

/** Where an inspected value comes from. */
export interface InspectContext {
  /** The endpoint. For a line of batch results, the endpoint of its request. */
  readonly route: Route;
  /** A JSON response, the payload of one event of a stream, or a line of the results of a batch. */
  readonly part: 'response' | 'event' | 'line';
  /** Details for an error about the value. */
  readonly details: ErrorDetails;
}

/** Header values by name; `null` removes a header that would be sent otherwise. */
export type HeaderFields = Readonly<Record<string, string | null | undefined>>;

export interface TransportOptions {
  /** Sent as `Authorization: Bearer …` (API: Authentication). A function is called before each attempt. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Ends in the version prefix. Default `http://127.0.0.1:8787/v1`. */
  readonly baseURL?: string | undefined;
  readonly headers?: HeaderFields | undefined;
  /**
   * Default: the global `fetch`. `init.headers` is a plain object with lower-case names, or a `Headers` where there is
   * middleware: `new Headers(init.headers)` accepts both.
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  readonly middleware?: readonly Middleware[] | undefined;
  /** Attempts after the first one. Default 2. */
  readonly maxRetries?: number | undefined;
  /** The longest delay that a server may request before a retry, in milliseconds; a longer one means no retry. Default 60,000. */
  readonly maxRetryAfterMs?: number | undefined;
  /**
   * Returns the delay in milliseconds before the next attempt, where the server requests none, from the number of attempts that
   * failed before this one (from 0). Default: full jitter up to 0.5 s, 1 s, 2 s and so on, 8 s at most.
   */
  readonly backoff?: ((failedAttempts: number) => number) | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** The largest event of a stream in bytes. Default 16 MiB. */
  readonly maxEventBytes?: number | undefined;
  /**
   * Called with each successful JSON response, each payload of a stream, and each line of the results of a batch, before the caller
   * receives it. An error that it throws fails the call or the stream without a retry. Used for validation. Default none.
   */
  readonly inspect?: ((value: unknown, context: InspectContext) => void) | undefined;
}

/** What a caller may set for one call. */
export interface CallOptions extends Pick<TransportOptions, 'headers' | 'timeouts' | 'maxRetries'> {
  readonly signal?: AbortSignal | undefined;
  /** Default: a new one for each POST, the same for all its attempts. */
  readonly idempotencyKey?: string | undefined;
}

/** What a call sends, in addition to {@link CallOptions}. */
export interface RequestOptions extends CallOptions {
  readonly params?: PathParams | undefined;
  readonly query?: Query | undefined;
  /**
   * Plain objects and arrays are sent as JSON, everything else (`FormData`, `Blob`, a stream, bytes) unchanged. An object with a
   * `stream` method is a `BodySource`.
   */
  readonly body?: object | Body | null | undefined;
  /** Defaults for this endpoint; `timeouts` of the caller take precedence. */
  readonly defaultTimeouts?: Timeouts | undefined;
}

/** {@link Timeouts} with all defaults. */
export type ResolvedTimeouts = Readonly<Record<keyof Timeouts, number>>;

/** {@link TransportOptions} with all defaults. */
export interface TransportSettings {
  readonly apiKey: string | (() => string | Promise<string>) | undefined;
  readonly baseURL: URL;
  readonly headers: HeaderFields;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly middleware: readonly Middleware[];
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
  readonly backoff: (failedAttempts: number) => number;
  readonly timeouts: Timeouts;
  readonly maxEventBytes: number | undefined;
  readonly inspect: TransportOptions['inspect'];
}

export function resolveOptions({
  apiKey,
  baseURL = 'http://127.0.0.1:8787/v1',
  headers = {},
  // Resolved at each call, so that a fetch that is patched later (tests, tracing) is used.
  fetch: send = (url, init) => fetch(url, init),
  middleware = [],
  maxRetries = 2,
  maxRetryAfterMs = 60_000,
  backoff: retryDelay = backoff,
  timeouts = {},
  maxEventBytes,
  inspect,
}: TransportOptions): TransportSettings {
  return {
    apiKey,
    baseURL: parseBaseURL(baseURL),
    headers,
    fetch: send,
    middleware,
    maxRetries,
    maxRetryAfterMs,
    backoff: retryDelay,
    timeouts,
    maxEventBytes,
    inspect,
  };
}

/** The timeouts of one call: its own, else the transport's, else those of the endpoint, else the defaults. */
export function resolveTimeouts(
  { timeouts: callTimeouts, defaultTimeouts: endpointTimeouts }: RequestOptions,
  clientTimeouts: Timeouts,
  readsAll: boolean,
): ResolvedTimeouts {
  const limit = (name: keyof Timeouts, fallback: number): number =>
    callTimeouts?.[name] ?? clientTimeouts[name] ?? endpointTimeouts?.[name] ?? fallback;
  return {
    headers: limit('headers', 600_000),
    firstByte: limit('firstByte', 300_000),
    idle: limit('idle', 120_000),
    total: limit('total', readsAll ? 600_000 : 0),
  };
}
