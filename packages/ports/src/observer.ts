import type { BatchProvider } from './batch-provider.ts';
import type { CompletionUsage } from '@modelwire/schema/types';
import type { BudgetLimit, BudgetUnit } from './budget-store.ts';
import type { ChatEvent } from './chat-engine.ts';
import type { ChatRequest } from './chat-request.ts';
import type { OperationOutcome, Observation, UpstreamObserver } from './observation.ts';

/**
 * Receives what a server does, for metrics and traces; `@modelwire/telemetry` implements it. The methods are called while requests are
 * handled: they must be fast and must not throw.
 */
export interface Observer {
  /**
   * A request was received, a line of a batch is about to be sent to its endpoint, a background response is about to be generated, or a video
   * is about to be rendered. Return undefined to skip it: it is then not observed.
   */
  startRequest(request: ObservedRequest): RequestObservation | undefined;
  /** This server starts, or resumes, a batch with this many lines to process. */
  startBatch?(batch: { readonly batch: string; readonly lines: number }): BatchObservation;
  /** An event was sent to a webhook. */
  webhookAttempted?(attempt: ObservedWebhookAttempt): void;
  /** A call of the batch API of an upstream has ended. */
  batchApiCalled?(call: ObservedBatchApiCall): void;
  /** A file was stored: by `POST /files`, or by completing an upload. */
  fileStored?(file: { readonly source: 'file' | 'upload'; readonly bytes: number }): void;
  /** Stored contents were read whole, and are not those that were stored. */
  contentCorrupted?(): void;
  /** A request exceeds a limit of a budget: it is served with a warning (`soft`), or refused (`hard`). */
  budgetExceeded?(budget: { readonly limit: BudgetLimit; readonly unit: BudgetUnit }): void;
}

export interface ObservedBatchApiCall {
  readonly upstream: string;
  readonly operation: Exclude<keyof BatchProvider, 'upstream' | 'hasOwnCapacity'>;
  /** `aborted`: by this server. */
  readonly outcome: 'succeeded' | 'failed' | 'aborted';
  readonly durationMs: number;
}

export interface ObservedWebhookAttempt {
  /** Type of the event. */
  readonly type: string;
  /** `retried`: it failed, and there will be another attempt. `failed`: there will be none. */
  readonly outcome: 'succeeded' | 'retried' | 'failed';
  readonly durationMs: number;
}

export interface ObservedRequest {
  readonly method: string;
  /** Path and query as they were sent, or an absolute URL. */
  readonly url: string;
  /** Pattern of the route, such as `/v1/models/{model}`; undefined where no route matched. */
  readonly route: string | undefined;
  /** In milliseconds on the clock of `performance.now()`. `durationMs` of the outcome counts from it. */
  readonly startedAt: number;
  /** A header of the request, by its lower-case name. */
  header(name: string): string | null;
  /** The line of a batch that the request is for. */
  readonly batchLine?: { readonly batch: string; readonly customId: string } | undefined;
  /**
   * ID of the background response that is generated. The request that created it was observed separately. `header` returns the trace context
   * headers of that request. Another attempt to generate the response is observed as another request.
   */
  readonly backgroundResponse?: string | undefined;
  /** ID of the video that is rendered. As for `backgroundResponse`, the request that created it was observed separately. */
  readonly videoId?: string | undefined;
}

/** A batch while this server runs it. */
export interface BatchObservation {
  /** A line has its final result. */
  lineEnded(outcome: 'completed' | 'failed'): void;
  /** The batch expires before its lines have ended at their present rate, or is on time again. */
  setLate?(isLate: boolean): void;
  /** The batch has ended, or its job was released. */
  end(): void;
}

/** Receives the operations of a storage: a database or a storage of file contents. Fast, and must not throw. */
export interface StorageObserver {
  /** @param operation Such as `read` or `write`: one of a few names. */
  startOperation(operation: string): Observation<OperationOutcome>;
}

/** A request while it is handled. Its parts are started on this object. */
export interface RequestObservation extends Observation<RequestOutcome>, UpstreamObserver {
  /** ID of the trace that the request is recorded in, for its log line. */
  readonly traceId?: string | undefined;
  /** Returns trace context headers for work that continues after the request has ended. */
  traceHeaders?(): Readonly<Record<string, string>>;
  /** Calls `handle` in the context of the request. Default: `handle` is called directly. */
  run?<Result>(handle: () => Result): Result;
  /** The request waits for a slot at an engine. Not called if a slot is free. */
  startQueueWait(wait: { readonly engine: string }): Observation<OperationOutcome>;
  startGeneration(generation: ObservedGeneration): GenerationObservation;
  startModeration(moderation: ObservedModeration): Observation<ModerationOutcome>;
  startTool(tool: { readonly name: 'web_search' }): Observation<OperationOutcome>;
}

export interface RequestOutcome {
  readonly requestId: string;
  readonly status: number;
  readonly durationMs: number;
  /** Code or type of the error that the client received. */
  readonly error?: string | undefined;
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  /** Name of the upstream that responded, or failed last. */
  readonly upstream?: string | undefined;
  readonly streamed?: boolean | undefined;
  /** The client disconnected before the end. */
  readonly aborted?: boolean | undefined;
  /** How the texts and tool calls of a reply came to match their grammars, or that one did not; nothing for those that did. */
  readonly outputSteps?: readonly OutputStep[] | undefined;
}

/** `repeated`: the model was asked for the whole document again. */
export type OutputStep = 'cleaned' | 'closed' | 'continued' | 'repeated' | 'failed';

/** A generation of an engine: from its slot to the end of the reply. A request may consist of several. */
export interface ObservedGeneration {
  /** `generate_content` is used for videos. */
  readonly operation: 'chat' | 'text_completion' | 'embeddings' | 'generate_content';
  readonly engine: string;
  /** Whether the model runs in another process. */
  readonly isRemote: boolean;
  /** ID of the model at the engine. */
  readonly model: string;
  readonly project: string;
  readonly isStreamed: boolean;
  /** Milliseconds that the request waited for its slot. */
  readonly queuedMs: number;
  /** Undefined for embeddings and videos. */
  readonly request?: ChatRequest | undefined;
}

export interface GenerationObservation extends Observation<GenerationOutcome>, UpstreamObserver {
  /** Receives the events of the reply, for observers that record its content: engines then do not relay replies unparsed. */
  onEvent?(event: ChatEvent): void;
}

export interface GenerationOutcome extends OperationOutcome {
  readonly usage: CompletionUsage | undefined;
  /** Time of the first token, by `performance.now()`; undefined if there was none, or the upstream did not stream its reply. */
  readonly firstTokenAt: number | undefined;
  readonly finishReasons: readonly string[];
  /** `id` of the completion that was generated. */
  readonly responseId?: string | undefined;
}

export interface ObservedModeration {
  readonly model: string;
  /** `request`: of `POST /moderations`. */
  readonly target: 'input' | 'output' | 'request';
}

export interface ModerationOutcome extends OperationOutcome {
  /** Undefined if it failed. */
  readonly isFlagged?: boolean | undefined;
}
