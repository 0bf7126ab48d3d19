import type { BatchStore } from '@modelwire/ports';
import type { Batch } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import { canTransition, withStatus } from './status.ts';

/** Cancels a batch if it can still be cancelled. Resolves to what it is then; undefined if there is none. */
export async function requestCancellation(
  id: string,
  batches: Pick<BatchStore, 'get' | 'replace'>,
  { clock, wakeWorker }: Pick<ServerContext, 'clock' | 'wakeWorker'>,
): Promise<Batch | undefined> {
  for (;;) {
    const record = await batches.get(id);
    if (!record || !canTransition(record.batch, 'cancelling')) return record?.batch;
    const cancelling = withStatus(record.batch, 'cancelling', clock);
    // Cancellation has a time limit, so it does not wait for a free worker (API: Limits, Cancellation window).
    if (await batches.replace(cancelling, { version: record.version, isUrgent: true })) {
      wakeWorker();
      return cancelling;
    }
    // The status has changed in the meantime: try again with the new one.
  }
}
