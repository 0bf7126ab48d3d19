import type { BatchRecord } from '@modelwire/ports';
import { startPolling } from '../../timers.ts';
import type { BatchRun } from './batch-run.ts';

/**
 * Polls every second whether the status of the batch has changed, for instance because a client cancelled it. Returns a function that stops
 * polling. `onUnchanged` is called with the start of each poll that found no change, in milliseconds of `performance.now()`.
 */
export function watchStatus(
  { server, batches, lease }: BatchRun,
  { batch }: BatchRecord,
  onChange: () => void,
  onUnchanged?: (at: number) => void,
): () => void {
  return startPolling({
    async poll(isStopped) {
      const requestedAt = performance.now();
      const current = await batches.get(lease.id);
      if (isStopped()) return true;
      const hasChanged = current?.batch.status !== batch.status;
      if (hasChanged) onChange();
      else onUnchanged?.(requestedAt);
      return hasChanged;
    },
    onError: (error) => server.options.report('failed to poll a batch', error),
  });
}
