import { AbortError, apiError, InputError, ModelwireError, toModelwireError } from '@modelwire/core';
import type { BatchEndpoint } from '@modelwire/schema/types';
import { MAX_BYTES, MAX_LINES } from './input.ts';
import type { BatchFailure, BatchRequestBody, BatchResponseBody, BatchResult } from './lines.ts';
import type { BatchRunOptions } from './run.ts';

/** Options of `BatchesClient.collect`. Those of `run` apply to each batch. */
export interface CollectOptions extends Omit<BatchRunOptions<BatchEndpoint>, 'endpoint' | 'requests'> {
  /** The number of requests that fill a batch, which is sent at once. 1 to 50,000. Default 1,000. */
  readonly maxSize?: number | undefined;
  /** How long the first request of a batch waits for others, in milliseconds. Default 1,000. */
  readonly maxWaitMs?: number | undefined;
}

/** Gathers requests that are made one by one to batches. */
export interface BatchCollector<E extends BatchEndpoint> {
  /**
   * Adds a request to the next batch, and resolves with its response. Rejects with the `ApiError` of the request, with a `BatchFailedError`, or
   * with the error of sending or waiting. Aborting rejects it; a request that was not sent yet is removed, one that was is still run.
   */
  create(
    params: BatchRequestBody<E>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<BatchResponseBody<E>>;
  /** Sends the requests that wait, without waiting for more. */
  flush(): void;
}

interface Pending<E extends BatchEndpoint> {
  readonly body: BatchRequestBody<E>;
  readonly settle: (result: BatchResult<E>) => void;
  readonly reject: (error: Error) => void;
}

/** The requests for one model that wait: some servers allow one model in a batch. */
interface Gathering<E extends BatchEndpoint> {
  readonly requests: Set<Pending<E>>;
  bytes: number;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The custom ID and what else a line has besides its body. */
const lineBytes = 200;

/** See `BatchesClient.collect`. */
export function createCollector<E extends BatchEndpoint>(
  run: (options: BatchRunOptions<E>) => AsyncIterable<BatchResult<E>>,
  endpoint: E,
  { maxSize = 1000, maxWaitMs = 1000, ...options }: CollectOptions,
): BatchCollector<E> {
  if (!Number.isInteger(maxSize) || maxSize < 1 || maxSize > MAX_LINES)
    throw new InputError(`maxSize must be an integer from 1 to ${MAX_LINES}.`, { param: 'maxSize' });
  const gatherings = new Map<unknown, Gathering<E>>();

  function gatheringOf(model: unknown): Gathering<E> {
    const existing = gatherings.get(model);
    if (existing) return existing;
    const gathering = { requests: new Set<Pending<E>>(), bytes: 0, timer: setTimeout(() => flush(model), maxWaitMs) };
    gatherings.set(model, gathering);
    return gathering;
  }

  function flush(model: unknown): void {
    const gathering = gatherings.get(model);
    gatherings.delete(model);
    clearTimeout(gathering?.timer);
    if (gathering && gathering.requests.size > 0) void send([...gathering.requests]);
  }

  async function send(pending: readonly Pending<E>[]): Promise<void> {
    const byId = new Map(pending.map((request, index) => [`request-${index + 1}`, request]));
    try {
      const requests = Array.from(byId, ([custom_id, { body }]) => ({ custom_id, body }));
      for await (const result of run({ ...options, endpoint, requests })) byId.get(result.custom_id)?.settle(result);
      throw new ModelwireError('The results of the batch have no line for this request.');
    } catch (error) {
      const reason = toModelwireError(error, {});
      // Those that have a result are settled already.
      for (const { reject } of pending) reject(reason);
    }
  }

  return {
    flush: () => {
      for (const model of gatherings.keys()) flush(model);
    },
    create: (params, { signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) throw aborted(signal);
        // One such request would fail its whole batch.
        if ('stream' in params && params.stream === true)
          throw new InputError('stream must not be true: batches do not stream.', { param: 'stream' });
        // The caller may change its parameters before they are sent.
        const json = JSON.stringify(params);
        const body = JSON.parse(json) as BatchRequestBody<E>;
        const bytes = new TextEncoder().encode(json).length + lineBytes;
        const model = 'model' in body ? body.model : undefined;
        if (gatheringOf(model).bytes + bytes > MAX_BYTES) flush(model);
        const gathering = gatheringOf(model);
        const request: Pending<E> = {
          body,
          settle: (result) => {
            signal?.removeEventListener('abort', abort);
            if (result.ok) resolve(result.body);
            else reject(errorOf(result));
          },
          reject: (error) => {
            signal?.removeEventListener('abort', abort);
            reject(error);
          },
        };
        function abort(): void {
          if (gathering.requests.delete(request)) gathering.bytes -= bytes;
          reject(aborted(signal));
        }
        signal?.addEventListener('abort', abort, { once: true });
        gathering.requests.add(request);
        gathering.bytes += bytes;
        if (gathering.requests.size === maxSize) flush(model);
      }),
  };
}

function aborted(signal: AbortSignal | undefined): AbortError {
  return new AbortError('The caller aborted the request.', { cause: signal?.reason });
}

function errorOf({ status, error: { message, ...details } }: BatchFailure): ModelwireError {
  return status === undefined ? new ModelwireError(message, details) : apiError(status, message, details);
}
