import type { ServerContext } from '../../context.ts';
import type { BatchRecord, BatchStore, BlobLedger, Blobs, FileStore, JobStore, Lease } from '@modelwire/ports';
import { unrefTimeout } from '../../timers.ts';
import type { LineMemory } from './line-memory.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import type { BatchSettings } from '../../option-types.ts';

/** What the steps of a batch job share. */
export interface BatchRun {
  readonly server: ServerContext;
  readonly settings: BatchSettings;
  readonly lease: Lease;
  readonly jobs: JobStore;
  /** Status of the batch when its worker crashed, if this is the first run since then. */
  readonly statusAtCrash: string | undefined;
  /** Aborts when the job is lost or the server stops. */
  readonly signal: AbortSignal;
  /** Reports whether all running lines only wait to be retried. */
  readonly setWaiting: (isWaiting: boolean) => void;
  readonly batches: BatchStore;
  readonly files: FileStore;
  readonly ledger: BlobLedger;
  readonly blobs: Blobs;
  /** Limits the running lines of all batches of this server. */
  readonly slots: FairSemaphore;
  /** One permit, for lines that may have crashed their worker. */
  readonly quarantine: FairSemaphore;
  /** Limits the memory of running lines. */
  readonly memory: LineMemory;
}

const pollIntervalMs = 1000;

/**
 * Polls every second whether the status of the batch has changed, for instance because a client cancelled it. Returns a function that stops
 * polling. `onUnchanged` is called with the start of each poll that found no change, in milliseconds of `performance.now()`.
 */
export function watchStatus(
  { batches, lease, server }: BatchRun,
  { batch }: BatchRecord,
  onChange: (now: BatchRecord | undefined) => void,
  onUnchanged?: (at: number) => void,
): () => void {
  let isStopped = false;
  let clearTimer = unrefTimeout(pollIntervalMs, () => void poll());
  async function poll(): Promise<void> {
    const requestedAt = performance.now();
    try {
      const current = await batches.get(lease.id);
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
