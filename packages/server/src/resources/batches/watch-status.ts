import type { BatchRecord } from '@modelwire/ports';
import { unrefTimeout } from '../../timers.ts';
import type { BatchRun } from './batch-run.ts';
import { cancelWithoutAccess } from './cancel-without-access.ts';

const pollIntervalMs = 1000;

/**
 * Polls every second whether the status of the batch has changed, for instance because a client cancelled it, and cancels it when its key may
 * not be used any more. Returns a function that stops polling. `onUnchanged` is called with the start of each poll that found no change, in milliseconds of `performance.now()`.
 */
export function watchStatus(
  run: BatchRun,
  { batch }: BatchRecord,
  onChange: (now: BatchRecord | undefined) => void,
  onUnchanged?: (at: number) => void,
): () => void {
  const { server } = run;
  let isStopped = false;
  let clearTimer = unrefTimeout(pollIntervalMs, () => void poll());
  async function poll(): Promise<void> {
    const requestedAt = performance.now();
    try {
      const current = await currentRecord(run);
      if (isStopped) return;
      if (current?.batch.status !== batch.status) {
        isStopped = true;
        onChange(current);
        return;
      }
      onUnchanged?.(requestedAt);
    } catch (error) {
      server.options.report('failed to poll a batch', error);
    }
    if (!isStopped) clearTimer = unrefTimeout(pollIntervalMs, () => void poll());
  }
  return () => {
    isStopped = true;
    clearTimer();
  };
}

/** Reads the batch, and cancels it if its key may not be used any more. */
async function currentRecord(run: BatchRun): Promise<BatchRecord | undefined> {
  const { batches, lease } = run;
  const current = await batches.get(lease.id);
  return current && (await cancelWithoutAccess(run, current)) ? batches.get(lease.id) : current;
}
