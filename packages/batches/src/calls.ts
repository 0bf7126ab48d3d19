import { listPages, waitFor } from '@modelwire/core';
import type { ApiPromise, CallOptions, Paged, Transport, WaitOptions } from '@modelwire/core';
import { cancelBatch, createBatch, listBatches, retrieveBatch } from '@modelwire/schema/routes';
import type { Batch, BatchCreateParams, BatchList, BatchListParams } from '@modelwire/schema/types';
import { hasEnded } from './results.ts';

/** The endpoints of batches. Every method rejects only with a `ModelwireError`. */
export interface BatchCalls {
  /** Creates a batch from a file with the purpose `batch`. */
  create(params: BatchCreateParams, options?: CallOptions): ApiPromise<Batch>;
  /** Retrieves a batch with its status and counts. */
  retrieve(batchId: string, options?: CallOptions): ApiPromise<Batch>;
  /** Lists batches, newest first: `await` one page, or iterate all batches with `for await`. */
  list(params?: BatchListParams, options?: CallOptions): Paged<BatchList>;
  /** Cancels a batch (API: Cancel batch): `cancelling` immediately, `cancelled` when the running requests have ended. */
  cancel(batchId: string, options?: CallOptions): ApiPromise<Batch>;
  /**
   * Polls until the batch is `completed`, `failed`, `expired` or `cancelled`, and resolves with it; check its `status`. `onUpdate`
   * receives the counts. Aborting the wait does not cancel the batch.
   */
  wait(batchId: string, options?: WaitOptions<Batch>): Promise<Batch>;
}

export function createCalls(transport: Transport): BatchCalls {
  const calls: BatchCalls = {
    create: (body, options) => transport.request(createBatch, { ...options, body }),
    retrieve: (batch_id, options) => transport.request(retrieveBatch, { ...options, params: { batch_id } }),
    list: (query, options) => listPages<BatchList>(transport, listBatches, query, options),
    cancel: (batch_id, options) => transport.request(cancelBatch, { ...options, params: { batch_id } }),
    wait: (batchId, options = {}) =>
      waitFor((timeouts) => calls.retrieve(batchId, { ...options, timeouts }), hasEnded, options),
  };
  return calls;
}
