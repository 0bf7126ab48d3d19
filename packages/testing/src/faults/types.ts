import type { ChatMatcher, Pattern } from '../replies/types.ts';

/** Which requests a fault is for. Parts of the body make it one for chat. Nothing given: every request that it makes sense for. */
export interface FaultMatcher extends ChatMatcher {
  readonly method?: string;
  /** In the path, without the query. */
  readonly path?: Pattern;
}

interface When {
  readonly when?: FaultMatcher;
  /** How many requests it befalls. Default 1. */
  readonly times?: number | 'always';
  /** So many requests that fit are spared first. Default 0. */
  readonly skip?: number;
}

/** Where an answer breaks off. Without `afterChunks`, before it begins. */
interface Break {
  /** Events of a stream that are delivered whole; of another body, half of it where this is above 0. */
  readonly afterChunks?: number;
  /** Before it begins: whether the server does what was asked, and only the answer is lost. Default false. */
  readonly processed?: boolean;
}

export type Fault = When &
  (
    | { readonly fault: 'latency'; readonly ms: number }
    | { readonly fault: 'token-pace'; readonly ms: number }
    | ({ readonly fault: 'drop' } & Break)
    | ({ readonly fault: 'reset' } & Break)
    /** Nothing more comes; after `ms`, where given, it goes on. */
    | ({ readonly fault: 'stall'; readonly ms?: number } & Break)
    /** The event of this place, 1 for the first, is cut in its JSON. Default 2. */
    | { readonly fault: 'malformed-frame'; readonly atChunk?: number }
    | { readonly fault: 'split-utf8' }
    /** A stream that ends as if all was said: after so many chunks, or else before `[DONE]`. */
    | { readonly fault: 'truncated'; readonly afterChunks?: number }
    | { readonly fault: 'content-type'; readonly type?: string }
    /** Seconds. Default 1. */
    | { readonly fault: 'rate-limit'; readonly retryAfter?: number }
    | { readonly fault: 'server-error'; readonly status?: number; readonly message?: string }
    | { readonly fault: 'slow-body'; readonly bytesPerSecond: number }
    /** Answers of so many requests (2) come in the reverse order; after `ms` (1000) with however many there are. */
    | { readonly fault: 'out-of-order'; readonly of?: number; readonly ms?: number }
    /** A line of a batch is answered with an error. Status 400 unless said: 5xx are tried three times. */
    | { readonly fault: 'batch-line'; readonly status?: number; readonly message?: string; readonly code?: string }
    | { readonly fault: 'video-failure'; readonly code?: string; readonly message?: string }
  );
export type FaultName = Fault['fault'];
