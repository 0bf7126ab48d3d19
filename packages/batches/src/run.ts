import { ModelwireError } from '@modelwire/core';
import type { CallOptions, Transport, WaitOptions } from '@modelwire/core';
import type { FilesClient } from '@modelwire/files';
import type { Batch, BatchCreateParams, BatchEndpoint } from '@modelwire/schema/types';
import type { BatchCalls } from './calls.ts';
import { batchInput } from './input.ts';
import type { BatchRequest, BatchResult } from './lines.ts';
import { hasEnded, readResults } from './results.ts';

/** Options of `BatchesClient.run`. */
export interface BatchRunOptions<E extends BatchEndpoint>
  extends Pick<BatchCreateParams, 'metadata' | 'output_expires_after'>, Omit<WaitOptions<Batch>, 'until'> {
  readonly endpoint: E;
  /** Encoded while they are sent. Requests from an array can be sent again on a retry. */
  readonly requests: Iterable<BatchRequest<E>> | AsyncIterable<BatchRequest<E>>;
  /** Name of the input file. Default `batch.jsonl`. */
  readonly filename?: string | undefined;
  /** Default `24h`. */
  readonly completion_window?: BatchCreateParams['completion_window'] | undefined;
  /** Cancels the batch on the server when `signal` aborts. Default false: it continues, and can be retrieved by its ID. */
  readonly cancelOnAbort?: boolean | undefined;
}

/** The server rejected the input of a batch; `batch.errors` has an entry for each invalid line. */
export class BatchFailedError extends ModelwireError {
  override readonly name = 'BatchFailedError';
  readonly batch: Batch;

  constructor(batch: Batch) {
    const errors = batch.errors?.data ?? [];
    const [first] = errors;
    const location = typeof first?.line === 'number' ? ` (line ${first.line})` : '';
    const reason = first?.message === undefined ? '' : `: ${first.message}${location}`;
    const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : '';
    super(`The batch ${batch.id} failed${reason}.${more}`, { code: first?.code ?? undefined, body: batch.errors });
    this.batch = batch;
  }
}

/** See `BatchesClient.run`. */
export async function* runBatch<E extends BatchEndpoint>(
  batches: BatchCalls,
  files: FilesClient,
  options: BatchRunOptions<E>,
  inspect: Transport['inspect'],
): AsyncGenerator<BatchResult<E>, void, undefined> {
  const { endpoint, requests, metadata, output_expires_after, onUpdate, signal } = options;
  const { completion_window = '24h', filename = 'batch.jsonl', headers, maxRetries, timeouts } = options;
  const call: CallOptions = { headers, maxRetries, timeouts, signal };
  const openInput = (): ReadableStream<Uint8Array> => batchInput(endpoint, requests);
  const stream = Array.isArray(requests) ? openInput : openInput();
  const input = await files.create({ file: { stream, type: 'application/jsonl' }, filename, purpose: 'batch' }, call);
  const params = {
    input_file_id: input.id,
    endpoint,
    completion_window,
    ...(metadata !== undefined && { metadata }),
    ...(output_expires_after !== undefined && { output_expires_after }),
  };
  let batch = await batches.create(params, call);
  onUpdate?.(batch);
  try {
    batch = await batches.wait(batch.id, options);
  } catch (error) {
    if (options.cancelOnAbort === true && signal?.aborted === true && !hasEnded(batch)) {
      await batches.cancel(batch.id, { headers, maxRetries, timeouts }).catch(() => undefined);
    }
    throw error;
  }
  if (batch.status === 'failed') throw new BatchFailedError(batch);
  yield* readResults<E>(files, batch, call, inspect);
}
