import { isStorageUnavailable } from '@modelwire/ports';
import type { BlobLedger, Blobs, Clock, Stores } from '@modelwire/ports';
import { unrefTimeout } from '../timers.ts';

/** The interval of removals, and the number of records per removal: few enough not to disturb other work. */
const intervalMs = 60_000;
const limit = 500;
const stopTimeoutMs = 1000;

export interface CleanupInit {
  readonly stores?: Stores | undefined;
  readonly blobs?: Blobs | undefined;
  readonly completionRetentionDays: number | undefined;
  readonly responseRetentionDays: number;
  readonly requestLogRetentionDays: number | undefined;
  readonly report: (what: string, error: unknown) => void;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Removes expired data in the background: stored completions after `completionRetentionDays`, responses after `responseRetentionDays`,
 * logged requests after `requestLogRetentionDays`, expired idempotency keys, files and uploads, and bytes without a record. Returns a function that stops it, and resolves when the current
 * run has ended, so that the stores can be closed; after one second at the latest.
 */
export function startCleanup({
  stores,
  blobs,
  completionRetentionDays,
  responseRetentionDays,
  requestLogRetentionDays = 0,
  report,
  clock,
}: CleanupInit): () => Promise<void> {
  if (!stores) return () => Promise.resolve();
  let isStopped = false;
  async function remove(): Promise<void> {
    // Records expire by the time that clients see; bytes expire by the clock of the store.
    const time = clock.now();
    const daysAgo = (days: number): number => Math.floor(time / 1000) - days * 86_400;
    const completionsBefore = completionRetentionDays === undefined ? undefined : daysAgo(completionRetentionDays);
    const before = {
      completionsBefore,
      responsesBefore: daysAgo(responseRetentionDays),
      requestsBefore: daysAgo(requestLogRetentionDays),
    };
    try {
      let removed: number | undefined;
      do removed = await stores?.removeExpired({ ...before, now: time, limit });
      while (!isStopped && removed !== undefined && removed >= limit);
    } catch (error) {
      report('expired data was not removed', error);
    }
    try {
      if (stores && blobs) await removeBytes(blobs, stores.ledger, { report, isStopped: () => isStopped });
    } catch (error) {
      report('unreferenced blobs were not removed', error);
    }
  }
  let running: Promise<void> | undefined;
  function startRun(): void {
    running ??= remove().finally(() => (running = undefined));
  }
  const timer = setInterval(startRun, intervalMs);
  // The timer must not keep the process alive. (Outside Node it is a number, and does not anyway.)
  if (typeof timer === 'object') timer.unref();
  startRun();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    const timeout = new Promise<void>((resolve) => unrefTimeout(stopTimeoutMs, resolve));
    await Promise.race([running, timeout]);
  };
}

/** Delay before the removal of bytes is retried after a failure. */
const failureRetryMs = 3_600_000;

/**
 * Removes due bytes, then forgets their keys. Both steps can be repeated, so an interrupted run is repeated. Failures are reported and
 * retried later, and do not prevent other removals.
 */
async function removeBytes(
  blobs: Blobs,
  ledger: BlobLedger,
  { report, isStopped }: { readonly report: CleanupInit['report']; readonly isStopped: () => boolean },
): Promise<void> {
  while (!isStopped()) {
    const keys = await ledger.due({ limit });
    if (keys.length === 0) return;
    const { removed, failed } = await removeAll(blobs, keys);
    await ledger.forget(removed);
    if (failed.length === 0) continue;
    await ledger.postpone(
      failed.map(({ key }) => key),
      failureRetryMs,
    );
    for (const { key, error } of failed) report(`unreferenced blobs were not removed: ${key}`, error);
    // Nothing was removed: the storage is unavailable, and the rest would fail, too.
    if (removed.length === 0) return;
  }
}

interface BlobRemovalResult {
  readonly removed: readonly string[];
  readonly failed: readonly { readonly key: string; readonly error: unknown }[];
}

/** Removes all keys at once or, if that fails, one by one. */
async function removeAll(blobs: Blobs, keys: readonly string[]): Promise<BlobRemovalResult> {
  try {
    await blobs.remove(keys);
    return { removed: keys, failed: [] };
  } catch (error) {
    // The keys are not the cause: they stay due.
    if (isStorageUnavailable(error)) throw error;
    const [only, ...others] = keys;
    if (only !== undefined && others.length === 0) return { removed: [], failed: [{ key: only, error }] };
  }
  const removed: string[] = [];
  const failed: { key: string; error: unknown }[] = [];
  for (const key of keys) {
    try {
      await blobs.remove([key]);
      removed.push(key);
    } catch (error) {
      if (isStorageUnavailable(error)) throw error;
      failed.push({ key, error });
      // After this many consecutive failures the rest stays due.
      if (removed.length === 0 && failed.length === maxFailures) break;
    }
  }
  return { removed, failed };
}

/** Consecutive failures, without any success, after which the storage counts as unavailable. */
const maxFailures = 5;
