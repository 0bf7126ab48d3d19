import { AbortError, isModelwireError, ModelwireError } from '../errors.ts';
import type { CallOptions } from '../transport/options.ts';
import { createEventQueue } from './event-queue.ts';
import type { ToolCallResult } from './run-tool-call.ts';

/** The last event of a run. */
export interface RunFinalEvent<Result> {
  readonly type: 'final';
  readonly result: Result;
}

/** An event of a streamed reply, with `stream: true` and while the run is iterated. */
export interface RunDeltaEvent<Event> {
  readonly type: 'delta';
  readonly step: number;
  readonly event: Event;
}

/** A tool starts. */
export interface RunToolCallEvent<Call> {
  readonly type: 'tool_call';
  readonly step: number;
  readonly call: Call;
}

/** A tool has ended, in the order in which tools end. */
export interface RunToolResultEvent<Call> extends Omit<ToolCallResult, 'text'> {
  readonly type: 'tool_result';
  readonly step: number;
  readonly call: Call;
}

/** An event of a run that calls tools, whichever interface it uses. */
export type RunEvent<Event, Call, Result> = RunDeltaEvent<Event> | RunToolCallEvent<Call> | RunFinalEvent<Result>;

/** The result of a run that calls tools. */
export interface ToolRunResult<Outcome, Usage> {
  /**
   * `completed`: the model called no more tools; `max_steps` and `max_tokens`: a limit was reached. The last tool calls were not run
   * then: they are in `outcome`, and the conversation ends with them.
   */
  readonly endReason: 'completed' | 'max_steps' | 'max_tokens';
  /** The outcome of the last reply, of tool calls when a limit was reached. */
  readonly outcome: Outcome;
  /** The sum of all requests. */
  readonly usage: Usage;
  /** Number of requests. */
  readonly steps: number;
}

/** Options of a run that calls tools. Without an idempotency key, which would be the same for all requests of the run. */
export interface RunToolsOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** The maximum number of requests. Default 10. */
  readonly maxSteps?: number;
  /** Sends no further request after the run has used this many tokens, by the server's usage. Default none. */
  readonly maxTokens?: number;
  /** Whether an error of a tool or invalid arguments are reported to the model, or fail the run. Default `report`. */
  readonly onError?: 'report' | 'throw';
}

/** An operation with events, which continues whether or not it is read. Iterate it once, await `final()`, or do both. */
export interface Run<Event, Result> extends AsyncIterable<Event | RunFinalEvent<Result>, void, undefined> {
  /** Rejects with a `ModelwireError`: a `ToolError` of `onError: 'throw'`, an `AbortError`, or that of a request. */
  final(): Promise<Result>;
  /** Aborts the pending request and all tools immediately, like the caller's signal and like leaving the loop. */
  abort(): void;
}

/** What an operation is given. */
export interface RunContext<Event> {
  /** Aborts when the run ends before its result. */
  readonly signal: AbortSignal;
  /** Whether the events are being iterated. */
  readonly isRead: () => boolean;
  push(event: Event): void;
  /** The promise, or a rejection as soon as the run is aborted. */
  raceAbort<T>(promise: Promise<T>): Promise<T>;
}

/** Starts an operation. `signal` is the caller's. */
export function startRun<Event, Result>(
  operation: (context: RunContext<Event>) => Promise<Result>,
  signal: AbortSignal | undefined,
): Run<Event, Result> {
  const controller = new AbortController();
  const queue = createEventQueue<Event | RunFinalEvent<Result>>();
  const aborted = Promise.withResolvers<never>();
  // Avoid an unhandled rejection where nothing waits for it.
  aborted.promise.catch(() => undefined);

  const onAbort = (): void => abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort);

  const context: RunContext<Event> = {
    signal: controller.signal,
    isRead: () => queue.isRead,
    push: queue.push,
    raceAbort: (promise) => Promise.race([aborted.promise, promise]),
  };
  // In the next microtask, so that a loop that starts now receives the events of the first reply, too.
  const done = Promise.resolve()
    .then(() => operation(context))
    .then(finish, fail);
  done.catch(() => undefined);
  return {
    final: () => done,
    abort: () => abort(),
    [Symbol.asyncIterator]: () => queue.iterate(() => abort()),
  };

  function abort(cause?: unknown): void {
    if (controller.signal.aborted) return;
    const error = new AbortError('The caller aborted the run.', { cause });
    aborted.reject(error);
    controller.abort(error);
    queue.end(error, true);
  }

  function finish(result: Result): Result {
    signal?.removeEventListener('abort', onAbort);
    queue.push({ type: 'final', result });
    queue.end();
    return result;
  }

  function fail(thrown: unknown): never {
    signal?.removeEventListener('abort', onAbort);
    const error = isModelwireError(thrown)
      ? thrown
      : new ModelwireError('The run failed: see the cause.', { cause: thrown });
    // Aborts the tools that are still running.
    controller.abort(error);
    queue.end(error);
    throw error;
  }
}
