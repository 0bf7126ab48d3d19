import type { Page, PageQuery } from './page.ts';

/** How a request ended: `aborted` if its client disconnected, or this server stopped. */
export type RequestLogOutcome = 'succeeded' | 'failed' | 'aborted';

/** A request to a model that has ended and left no stored completion. Never has content. */
export interface RequestRecord {
  /** ID of the request; unique. */
  readonly id: string;
  /** When it was received, in Unix seconds. */
  readonly created: number;
  readonly project: string;
  readonly keyId: string;
  /** Pattern of the route, such as `/v1/chat/completions`. */
  readonly endpoint: string;
  /** Empty where the request named no model of the server. */
  readonly model: string;
  readonly outcome: RequestLogOutcome;
  /** HTTP status. A stream that failed after its first event has 200; a request that was aborted before its response has 0. */
  readonly status: number;
  /** Code of the error; null without one. */
  readonly error: string | null;
  readonly isStreamed: boolean;
  readonly durationMs: number;
  /** Null if it had no token. */
  readonly firstTokenMs: number | null;
  /** Null where no tokens were counted, like the two below. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  /** In millionths of the currency; null for a model without a price. */
  readonly costMicros: number | null;
  /** That of the price table at that time; null without a cost. */
  readonly currency: string | null;
  /** ID of the response that was stored; null if there is none. */
  readonly response: string | null;
  /** ID of the batch of which it was a line. */
  readonly batch: string | null;
}

export interface RequestLogQuery extends PageQuery {
  readonly projects?: readonly string[] | undefined;
  readonly keyIds?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly outcomes?: readonly RequestLogOutcome[] | undefined;
  /** Only requests received at this time or later, in Unix seconds. */
  readonly from?: number | undefined;
  /** Only requests received before this time. */
  readonly to?: number | undefined;
}

/** The log of the requests that left no stored completion. */
export interface RequestLogStore {
  /** Adds all of them or none. Those that are in the log already are left as they are. */
  append(requests: readonly RequestRecord[]): Promise<void>;
  /** Sorted by `created`, then by the order in which they were appended; `desc` reverses both. Undefined when there is no request `after`. */
  list(query: RequestLogQuery): Promise<Page<RequestRecord> | undefined>;
  get(id: string): Promise<RequestRecord | undefined>;
}
