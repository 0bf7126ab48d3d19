import { createTransport, paginate, waitFor } from '@modelwire/core';
import type { ApiPromise, CallOptions, Paged, Transport, TransportOptions, WaitOptions } from '@modelwire/core';
import { createFiles } from '@modelwire/files';
import { cancelBatch, createBatch, listBatches, retrieveBatch } from '@modelwire/schema/routes';
import type { Batch, BatchCreateParams, BatchEndpoint, BatchList, BatchListParams } from '@modelwire/schema/types';
import type { BatchResult } from './lines.ts';
import { isOver, readResults } from './results.ts';
import { runBatch } from './run.ts';
import type { BatchRunOptions } from './run.ts';

/** How to reach the server, or a transport that other clients use too. */
export type BatchesOptions = TransportOptions | Transport;

/** Every method rejects with a `ModelwireError`, always. */
export interface BatchesClient {
  /** Starts a batch over a file of purpose `batch`. */
  create(params: BatchCreateParams, options?: CallOptions): ApiPromise<Batch>;
  /** A batch and how far it is. */
  retrieve(batchId: string, options?: CallOptions): ApiPromise<Batch>;
  /** Batches, newest first: `await` one page, or `for await` all of them. */
  list(params?: BatchListParams, options?: CallOptions): Paged<BatchList>;
  /** Stops a batch (interface: Cancel batch): `cancelling` at once, `cancelled` when what is under way has ended. */
  cancel(batchId: string, options?: CallOptions): ApiPromise<Batch>;
  /**
   * Asks until the batch is `completed`, `failed`, `expired` or `cancelled`, and gives it; look at its `status`. `onUpdate`
   * is told the counts. Stopping to wait does not stop the batch.
   */
  wait(batchId: string, options?: WaitOptions<Batch>): Promise<Batch>;
  /**
   * What came of each request of a batch that is over: those answered, then those not. Read line by line, in memory for one;
   * a connection that breaks is taken up again.
   */
  results<E extends BatchEndpoint>(
    batch: Batch | string,
    options?: CallOptions,
  ): AsyncGenerator<BatchResult<E>, void, undefined>;
  /** The same by `custom_id`, all in memory. */
  resultsById<E extends BatchEndpoint>(
    batch: Batch | string,
    options?: CallOptions,
  ): Promise<Map<string, BatchResult<E>>>;
  /**
   * All of it in one loop: sends the requests as a file, starts a batch, waits, and gives the results. Nothing is sent before
   * the loop begins. Throws a `BatchFailedError` when the server refuses the input.
   */
  run<E extends BatchEndpoint>(options: BatchRunOptions<E>): AsyncGenerator<BatchResult<E>, void, undefined>;
}

/** A client for batches. Throws an `InputError` for a broken base URL. */
export function createBatches(options: BatchesOptions = {}): BatchesClient {
  const transport = 'request' in options ? options : createTransport(options);
  const files = createFiles(transport);

  async function* results<E extends BatchEndpoint>(
    batch: Batch | string,
    options?: CallOptions,
  ): AsyncGenerator<BatchResult<E>, void, undefined> {
    const found = typeof batch === 'string' ? await client.retrieve(batch, options) : batch;
    yield* readResults<E>(files, found, options);
  }

  const client: BatchesClient = {
    create: (body, options) => transport.request(createBatch, { ...options, body }),
    retrieve: (batch_id, options) => transport.request(retrieveBatch, { ...options, params: { batch_id } }),
    list: (query, options) =>
      paginate(
        (after) => transport.request<BatchList>(listBatches, { ...options, query: { ...query, after } }),
        query?.after,
      ),
    cancel: (batch_id, options) => transport.request(cancelBatch, { ...options, params: { batch_id } }),
    wait: (batchId, options = {}) => waitFor(() => client.retrieve(batchId, options), isOver, options),
    results,
    async resultsById<E extends BatchEndpoint>(batch: Batch | string, options?: CallOptions) {
      const byId = new Map<string, BatchResult<E>>();
      for await (const result of results<E>(batch, options)) byId.set(result.custom_id, result);
      return byId;
    },
    run: (options) => runBatch(client, files, options),
  };
  return client;
}
