import { batchNotCancellable } from '../../errors.ts';
import { projectStores } from '../../media/files/bytes-of.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { batchOf } from './read.ts';
import { canMove, moved } from './states.ts';

/**
 * POST /batches/{batch_id}/cancel (interface: Cancel batch). Lines at work may end; what was done is in the output file. Cancelling again
 * returns the batch as it is by then. A batch that is finalizing has no lines left to cancel: it is refused like one that has ended.
 */
export async function cancelBatch(call: Call, server: ServerContext): Promise<Reply> {
  const { batches } = projectStores(call, server);
  for (;;) {
    const { batch, version } = await batchOf(call, server);
    if (batch.status === 'cancelling' || batch.status === 'cancelled') return { status: 200, body: batch };
    if (!canMove(batch, 'cancelling')) throw batchNotCancellable(batch.status);
    const cancelling = moved(batch, 'cancelling');
    // It waits for no place: there is nothing left to do but to say so (interface: Limits, Cancellation window).
    if (await batches.replace(cancelling, { version, hurry: true })) {
      server.wakeWorker();
      return { status: 200, body: cancelling };
    }
    // It went on to its next state meanwhile: asked again, from there.
  }
}
