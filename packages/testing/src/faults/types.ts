import type { ChatMatcher, Pattern } from '../replies/types.ts';

/**
 * Selects the requests of a fault. Conditions of replies match chat requests and requests for responses (without earlier turns). Default: all
 * requests to which the fault applies.
 */
export interface FaultMatcher extends ChatMatcher {
  readonly method?: string;
  /** Matches the path, without the query. */
  readonly path?: Pattern;
}

interface When {
  readonly when?: FaultMatcher;
  /** The number of requests it affects. Default 1. */
  readonly times?: number | 'always';
  /** The number of matching requests to skip first. Default 0. */
  readonly skip?: number;
}

/** Where a response is interrupted. Without `afterChunks`, before it starts. */
interface Break {
  /** The number of complete events of a stream before; half of another body if above 0. */
  readonly afterChunks?: number;
  /** Without `afterChunks`: whether the server handles the request, so that only the response is lost. Default false. */
  readonly processed?: boolean;
}

export type Fault = When &
  (
    | { readonly fault: 'latency'; readonly ms: number }
    | { readonly fault: 'token-pace'; readonly ms: number }
    | ({ readonly fault: 'drop' } & Break)
    | ({ readonly fault: 'reset' } & Break)
    /** The response pauses, for `ms` milliseconds or without end. */
    | ({ readonly fault: 'stall'; readonly ms?: number } & Break)
    /** The JSON of the event at this position (1 is the first) is truncated. Default 2. */
    | { readonly fault: 'malformed-frame'; readonly atChunk?: number }
    | { readonly fault: 'split-utf8' }
    /** A stream that ends cleanly, but early: after `afterChunks` chunks, or before `[DONE]` or `response.completed`. */
    | { readonly fault: 'truncated'; readonly afterChunks?: number }
    | { readonly fault: 'content-type'; readonly type?: string }
    /** Seconds. Default 1. */
    | { readonly fault: 'rate-limit'; readonly retryAfter?: number }
    | { readonly fault: 'server-error'; readonly status?: number; readonly message?: string }
    | { readonly fault: 'slow-body'; readonly bytesPerSecond: number }
    /** The responses of `of` (2) requests are sent in reverse order; after `ms` (1000) also those of fewer. */
    | { readonly fault: 'out-of-order'; readonly of?: number; readonly ms?: number }
    /** A line of a batch fails. Default status 400; the server retries 5xx three times. */
    | { readonly fault: 'batch-line'; readonly status?: number; readonly message?: string; readonly code?: string }
    | { readonly fault: 'video-failure'; readonly code?: string; readonly message?: string }
  );
export type FaultName = Fault['fault'];
