import type { Batch } from '@modelwire/schema/types';
import { requestCancellation } from '../../batches/request-cancellation.ts';
import { batchNotCancellable } from '../../errors.ts';
import { projectStores } from '../../media/files/storage.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { batchOf } from './read.ts';

/**
 * POST /batches/{batch_id}/cancel (API: Cancel batch). Running lines may finish; the output file has the results so far. Cancelling
 * again returns the current batch. A batch that is finalizing has no lines left to cancel, and is refused like one that has ended.
 */
export async function cancelBatch(call: Call, server: ServerContext): Promise<JsonReply<Batch>> {
  const found = await batchOf(call, server);
  const batch = (await requestCancellation(found.batch.id, projectStores(call, server).batches, server)) ?? found.batch;
  if (batch.status !== 'cancelling' && batch.status !== 'cancelled') throw batchNotCancellable(batch.status);
  return { status: 200, body: batch };
}
