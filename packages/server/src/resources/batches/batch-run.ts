import type { ServerContext } from '../../context.ts';
import type { BatchRecord, BatchStore, BlobLedger, Blobs, FileStore, JobStore, Lease } from '@modelwire/ports';
import { unrefTimeout } from '../../timers.ts';
import type { LineMemory } from './line-memory.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import type { BatchSettings } from '../../option-types.ts';

/** What the steps of a batch's job work with. */
export interface BatchRun {
  readonly server: ServerContext;
  readonly settings: BatchSettings;
  readonly lease: Lease;
  readonly jobs: JobStore;
  /** The batch's status when a worker crashed over it, where this run is the first since. */
  readonly crashedIn: string | undefined;
  /** Aborts when the job is lost or the server stops. */
  readonly signal: AbortSignal;
  /** Says whether it only waits for engines to have time. */
  readonly waits: (waiting: boolean) => void;
  readonly batches: BatchStore;
  readonly files: FileStore;
  readonly ledger: BlobLedger;
  readonly blobs: Blobs;
  /** Bounds the lines at work over all batches of this server. */
  readonly turns: FairSemaphore;
  /** One turn, for lines that may have crashed their worker. */
  readonly quarantine: FairSemaphore;
  /** Bounds what those lines hold. */
  readonly memory: LineMemory;
}

const everyMs = 1000;

/**
 * Looks every second whether a client has cancelled the batch meanwhile. Gives what ends that. `unchanged` is told when the batch was
 * known not to be, in milliseconds of `performance.now()`.
 */
export function watch(
  { batches, lease, server }: BatchRun,
  { batch }: BatchRecord,
  changed: (now: BatchRecord | undefined) => void,
  unchanged?: (at: number) => void,
): () => void {
  let over = false;
  let clearTimer = unrefTimeout(everyMs, () => void look());
  async function look(): Promise<void> {
    const asked = performance.now();
    try {
      const now = await batches.get(lease.id);
      if (over) return;
      if (now?.batch.status !== batch.status) {
        over = true;
        changed(now);
        return;
      }
      unchanged?.(asked);
    } catch (error) {
      server.options.report('a batch was not looked at', error);
    }
    if (!over) clearTimer = unrefTimeout(everyMs, () => void look());
  }
  return () => {
    over = true;
    clearTimer();
  };
}
