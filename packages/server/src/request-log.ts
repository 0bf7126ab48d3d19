import type { CompletionUsage } from '@modelwire/schema/types';
import type { RequestOutcome, StorageOutage } from '@modelwire/ports';

/** One entry per request, written at its end. Never contains a key or content. */
export interface RequestLogEntry extends RequestOutcome {
  /** ID of the trace that the request is recorded in, or that the header `traceparent` named. */
  readonly traceId?: string | undefined;
  readonly method: string;
  /** The route's pattern, such as `/v1/models/{model}`; undefined where no route matched. */
  readonly route: string | undefined;
  /** Path below `/v1` of a forwarded request. */
  readonly path?: string | undefined;
  readonly keyId?: string | undefined;
  /**
   * Why the last failed attempt at an upstream failed, such as `vllm-1: ECONNREFUSED`, even if another attempt succeeded;
   * `vllm-1: circuit breaker open` if nothing was attempted because the upstreams of the model are paused.
   */
  readonly upstreamFailure?: string | undefined;
  /** The client's `safety_identifier` (or deprecated `user`), which identifies the end user in case of abuse. */
  readonly safetyIdentifier?: string | undefined;
  /** The batch of which the request is a line. */
  readonly batch?: string | undefined;
  /** The chat completion that was stored. */
  readonly completion?: string | undefined;
  /** The response that was stored, the background response that the request created, or the one that is generated. */
  readonly response?: string | undefined;
  /** The video that the request created, or that is rendered. */
  readonly video?: string | undefined;
  /** Milliseconds until the background response is generated again, or the batch line is sent again, because there was no capacity or an outage. */
  readonly retryInMs?: number | undefined;
  /** The categories that moderation flagged. */
  readonly flagged?: readonly string[];
  /** Types of the tools and input items of a response request that the model did not see, since this server does not run them. */
  readonly unsupportedTools?: readonly string[];
  /** IDs of the budgets whose soft limit the request exceeded. */
  readonly budgetWarnings?: readonly string[];
  /** How many requests to the model a reply took whose text or tool calls have to match a grammar. */
  readonly outputAttempts?: number | undefined;
  /** Milliseconds that the request waited for an engine; left out if it did not wait. */
  readonly queuedMs?: number | undefined;
  /** Milliseconds from when the request asked for a model to its first token. */
  readonly firstTokenMs?: number | undefined;
  readonly usage?: CompletionUsage | undefined;
  /**
   * The prompt's tokens in `usage` are estimated from its length, because the engine did not report them, or the reply ended before. Those of the
   * reply to a forwarded request can be estimated as well.
   */
  readonly usageIsEstimated?: boolean;
  /** The storage that could not be used, and why, where `error` is `storage_unavailable`. */
  readonly outage?: StorageOutage | undefined;
  /** Where an internal error came from: its name and stack frames without its message, which may quote the client. */
  readonly trace?: string | undefined;
}

/** Called when a request has ended. */
export type RequestLog = (entry: RequestLogEntry) => void;
