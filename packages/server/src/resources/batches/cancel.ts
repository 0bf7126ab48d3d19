import type { Batch } from '@modelwire/schema/types';
import { batchNotCancellable } from '../../errors.ts';
import { projectStores } from '../../media/files/storage.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { batchOf } from './read.ts';
import { canTransition, withStatus } from './batch-run.ts';

/**
 * POST /batches/{batch_id}/cancel (API: Cancel batch). Running lines may finish; the output file has the results so far. Cancelling
 * again returns the current batch. A batch that is finalizing has no lines left to cancel, and is refused like one that has ended.
 */
export async function cancelBatch(call: Call, server: ServerContext): Promise<JsonReply<Batch>> {
  const { batches } = projectStores(call, server);
  for (;;) {
    const { batch, version } = await batchOf(call, server);
    if (batch.status === 'cancelling' || batch.status === 'cancelled') return { status: 200, body: batch };
    if (!canTransition(batch, 'cancelling')) throw batchNotCancellable(batch.status);
    const cancelling = withStatus(batch, 'cancelling', server.clock);
    // Cancellation has a time limit, so it does not wait for a free worker (API: Limits, Cancellation window).
    if (await batches.replace(cancelling, { version, isUrgent: true })) {
      server.wakeWorker();
      return { status: 200, body: cancelling };
    }
    // The status has changed in the meantime: try again with the new one.
  }
}
