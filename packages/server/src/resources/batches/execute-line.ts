import { isRecord } from '@modelwire/adapter-kit';
import { toCount } from '@modelwire/adapter-kit/internal';
import type { BatchOutputLine } from '@modelwire/schema/types';
import { sleep } from '../../timers.ts';
import { errorBody } from '../../errors.ts';
import type { RequestError } from '../../errors.ts';
import type { BatchExchange, Principal } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import type { CreateId } from '../../ids.ts';
import type { ClientConnection } from '../../limits/client-connection.ts';
import type { BatchLine, InternalDispatch, InternalReply } from '../../call.ts';
import { RateLimitReached, rateLimited, rateSubjectsOf } from '../../admission/rate-limit.ts';
import type { LineOutcome } from '../../limits/adaptive-limit.ts';
import type { ModelSlots } from '../../limits/line-slots.ts';
import { BudgetExceeded } from '../../limits/budgets.ts';
import { maxCrashes } from '../../jobs/suspects.ts';
import { LineWaiting } from '../../batches/started-batches.ts';
import { LineRecorded } from './line-exchange.ts';

interface ExecuteLineInit {
  readonly server: Pick<ServerContext, 'options' | 'createId'>;
  readonly dispatch: InternalDispatch;
  readonly principal: Principal;
  readonly batchLine: BatchLine;
  /** Replaces the exchange with an upstream, in each attempt by a new one. */
  readonly createExchange?: () => BatchExchange;
  /** Whether an error is the result, and not a reason to try again. Default: it depends on the error. */
  readonly hasFinalReply?: boolean;
  readonly client: ClientConnection;
  readonly slots: Pick<ModelSlots, 'startLine' | 'isContended'>;
  /** Resolves when the line may run, with the function that releases its slot. */
  readonly acquireSlot: () => Promise<() => void | Promise<void>>;
  readonly onStateChange: (state: LineState) => void;
  /** Called with the error of each attempt, undefined if it succeeded. `isFinal`: it is not repeated. */
  readonly onReply: (error: RequestError | undefined, isFinal: boolean) => void;
}

/**
 * `queued`: waits for a slot; `quarantined`: may have crashed a server, and waits until it can run alone; `running`: sent to the engine; `paused`:
 * waits before a retry.
 */
export type LineState = 'queued' | 'quarantined' | 'running' | 'paused';

/** Sends a line to its endpoint like any other request, and retries it as long as `retryAfterMs` allows. @throws the client's reason when aborted. */
export async function executeLine(body: unknown, init: ExecuteLineInit): Promise<InternalReply> {
  const { signal } = init.client;
  const { batchRetryDelayMs, batchUnknownModelSeconds, batchBudgetExceeded } = init.server.options;
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt++) {
    const reply = await dispatchLine(body, init, (error) =>
      init.hasFinalReply === true
        ? undefined
        : retryAfterMs(error, attempt, batchRetryDelayMs, {
            pausesOverBudget: batchBudgetExceeded === 'pause',
            mayAwaitModel: performance.now() - startedAt < batchUnknownModelSeconds * 1000,
          }),
    );
    if (reply.error instanceof LineRecorded) return reply;
    init.onReply(reply.error, reply.retryInMs === undefined);
    if (reply.retryInMs === undefined) return reply;
    // The slot is free during the delay, for lines of other batches.
    init.onStateChange('paused');
    await (reply.error instanceof LineWaiting ? reply.error.untilEnded(signal) : sleep(reply.retryInMs, signal));
  }
}

async function dispatchLine(
  body: unknown,
  { server, dispatch, principal, client, slots, acquireSlot, onStateChange, ...init }: ExecuteLineInit,
  retryDelayOf: (error: RequestError) => number | undefined,
): Promise<InternalReply> {
  const { signal } = client;
  onStateChange('queued');
  const batchLine = { ...init.batchLine, exchange: init.createExchange?.() };
  // A line with a reply was counted when it was submitted.
  const decision = batchLine.exchange?.isReplied
    ? undefined
    : await server.options.rateLimiter?.consume(rateSubjectsOf(principal));
  if (decision && decision.retryAfterMs > 0)
    return errorReply(server.createId('req_'), rateLimited(decision), retryDelayOf);
  const releaseSlot = await acquireSlot();
  if (client.reason !== undefined) {
    void releaseSlot();
    throw new Error('the line was aborted while it acquired its slot');
  }
  onStateChange('running');
  const endLine = slots.startLine();
  let outcome: LineOutcome = { kind: 'failed' };
  // An engine that ignores the signal keeps its slot, but this call returns.
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    const logRecord = { batch: batchLine.batch };
    const from = { principal };
    void dispatch({ from, body: () => body, client, tier: 'flex', batchLine, retryDelayOf, logRecord })
      .then((reply) => {
        outcome = outcomeOf(reply, slots);
        return reply;
      })
      .then(resolve, reject)
      .finally(() => {
        endLine(outcome);
        signal.removeEventListener('abort', onAbort);
        void releaseSlot();
      });
  });
}

/** What the reply says about the capacity of the engine. */
function outcomeOf({ error, body }: InternalReply, { isContended }: Pick<ModelSlots, 'isContended'>): LineOutcome {
  if (error) return { kind: isRefusal(error) ? 'refused' : 'failed' };
  return isContended ? { kind: 'contended' } : { kind: 'completed', outputTokens: outputTokensOf(body) };
}

/** Whether an engine, or its queue, had no capacity. Limits of this server say nothing about that. */
function isRefusal({ status, code, cause, headers }: RequestError): boolean {
  if (cause instanceof BudgetExceeded || cause instanceof RateLimitReached) return false;
  return (
    (status === 429 || status === 503) &&
    code !== 'storage_unavailable' &&
    !finalCodes.has(code) &&
    headers['x-should-retry'] !== 'false'
  );
}

function outputTokensOf(body: unknown): number {
  const usage = isRecord(body) && isRecord(body['usage']) ? body['usage'] : {};
  return toCount(Number(usage['completion_tokens'] ?? usage['output_tokens'] ?? 0));
}

function errorReply(
  requestId: string,
  error: RequestError,
  retryDelayOf: (error: RequestError) => number | undefined,
): InternalReply {
  const retryInMs = retryDelayOf(error);
  return { status: error.status, requestId, body: errorBody(error), events: undefined, error, retryInMs };
}

const maxDelayMs = 60_000;
/** Attempts of a line after which a server error is final. */
const maxServerErrors = 3;
/** Retried until the window of the batch ends. */
const unlimitedRetryStatuses: ReadonlySet<number> = new Set([429, 503, 507]);
const serverErrorStatuses: ReadonlySet<number> = new Set([408, 500, 502, 504]);
/** Codes of errors that are never retried, whatever their status. */
const finalCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'invalid_output',
  'upstream_authentication_failed',
]);

/**
 * Milliseconds before a line is retried; undefined when its result is final. An engine without capacity (429, 503) or a server without
 * space (507) is retried until the window of the batch ends, other server errors twice. A model that is unknown because upstreams could not be
 * asked is awaited as long as `mayAwaitModel`. Errors of the line itself are never retried.
 */
export function retryAfterMs(
  error: RequestError | undefined,
  attempt: number,
  baseMs: number,
  {
    pausesOverBudget = false,
    mayAwaitModel = false,
  }: { readonly pausesOverBudget?: boolean; readonly mayAwaitModel?: boolean } = {},
): number | undefined {
  if (!error) return undefined;
  // Such an attempt is no request.
  if (error instanceof LineRecorded || error instanceof LineWaiting) return 0;
  if (error.cause instanceof BudgetExceeded) {
    // A budget that is reserved by running requests becomes free again; one that is spent may be raised or reset at any time.
    return error.cause.isTemporary || pausesOverBudget ? backoffMs(attempt, baseMs) : undefined;
  }
  const { status, code, headers } = error;
  // Upstreams that may have the model could not be asked.
  if (mayAwaitModel && code === 'model_not_found' && headers['retry-after'] !== undefined)
    return Math.max(backoffMs(attempt, baseMs), requestedDelayMs(headers));
  if (finalCodes.has(code) || headers['x-should-retry'] === 'false') return undefined;
  if (!unlimitedRetryStatuses.has(status) && !(serverErrorStatuses.has(status) && attempt < maxServerErrors))
    return undefined;
  return Math.max(backoffMs(attempt, baseMs), requestedDelayMs(headers));
}

function backoffMs(attempt: number, baseMs: number): number {
  return Math.min(maxDelayMs, baseMs * 2 ** Math.min(attempt - 1, 20)) * (0.75 + Math.random() / 4);
}

/** The delay that the engine requested, in milliseconds, in seconds or as a date. */
export function requestedDelayMs(headers: Readonly<Record<string, string>>): number {
  const ms = Number(headers['retry-after-ms'] ?? NaN);
  if (ms >= 0) return ms;
  const text = headers['retry-after'] ?? '';
  const seconds = Number(text === '' ? NaN : text);
  const wait = seconds >= 0 ? seconds * 1000 : Date.parse(text) - Date.now();
  return wait >= 0 ? wait : 0;
}

/** The line of a response, successful or not. */
export function responseLine(
  custom_id: string,
  { status, requestId, body }: Pick<InternalReply, 'status' | 'requestId' | 'body'>,
  createId: CreateId,
): string {
  return formatLine(createId, {
    custom_id,
    response: { status_code: status, request_id: requestId, body },
    error: null,
  });
}

/** Messages for lines without a response. */
const errorMessages = {
  batch_expired: 'This request could not be executed before the completion window ended.',
  batch_cancelled: 'This request was not executed: the batch was cancelled.',
  worker_crashed: `This request failed: the server crashed ${maxCrashes} times while it ran alone.`,
} as const;
export type LineErrorCode = keyof typeof errorMessages;

export function errorLine(custom_id: string, code: LineErrorCode, createId: CreateId): string {
  return failedLine(custom_id, { code, message: errorMessages[code] }, createId);
}

/** The line of a request that was not executed. */
export function failedLine(
  custom_id: string,
  error: { readonly code: string; readonly message: string },
  createId: CreateId,
): string {
  return formatLine(createId, { custom_id, response: null, error });
}

type Line = Omit<BatchOutputLine, 'id' | 'response'> & {
  readonly response: { readonly status_code: number; readonly request_id: string; readonly body: unknown } | null;
};

function formatLine(createId: CreateId, { custom_id, response, error }: Line): string {
  const json = JSON.stringify({ id: createId('batch_req_'), custom_id, response, error });
  // Some readers treat these as line breaks (`splitlines` in Python), although JSON does not.
  return json.replace(/[\u0085\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
