import type { Blobs, BlobLedger, Stores } from '@modelwire/ports';
import { unrefTimeout } from '../timers.ts';
import { isStorageUnavailable } from '@modelwire/ports';
import { now } from '../sources.ts';

/** How often it looks, and how much it removes in one go: small enough to disturb nobody. */
const everyMs = 60_000;
const limit = 500;
const lastMs = 1000;

export interface RemovalInit {
  readonly stores: Stores | undefined;
  readonly blobs: Blobs | undefined;
  readonly completionRetentionDays: number | undefined;
  readonly responseRetentionDays: number;
  readonly report: (what: string, error: unknown) => void;
}

export interface Removal {
  /** Begins nothing more, and resolves when what runs is over, so that the stores may be closed; it is waited for a second at most. */
  stop(): Promise<void>;
}

/**
 * Removes in the background what is past its time: stored completions after `completionRetentionDays`, responses after `responseRetentionDays`, idempotency keys, files and uploads
 * after theirs, and the bytes that no record has any more.
 */
export function startRemoval({
  stores,
  blobs,
  completionRetentionDays,
  responseRetentionDays,
  report,
}: RemovalInit): Removal {
  if (!stores) return { stop: () => Promise.resolve() };
  let stopped = false;
  async function remove(): Promise<void> {
    // Records expire by the time that clients see, bytes by the clock of the store.
    const time = now();
    const completionsBefore =
      completionRetentionDays === undefined ? undefined : Math.floor(time / 1000) - completionRetentionDays * 86_400;
    const responsesBefore = Math.floor(time / 1000) - responseRetentionDays * 86_400;
    try {
      let removed: number | undefined;
      do removed = await stores?.removeExpired({ completionsBefore, responsesBefore, now: time, limit });
      while (!stopped && removed !== undefined && removed >= limit);
    } catch (error) {
      report('what is old was not removed', error);
    }
    try {
      if (stores && blobs) await removeBytes(blobs, stores.ledger, { report, stopped: () => stopped });
    } catch (error) {
      report('bytes that nobody needs were not removed', error);
    }
  }
  let running: Promise<void> | undefined;
  function look(): void {
    running ??= remove().finally(() => (running = undefined));
  }
  const timer = setInterval(look, everyMs);
  // A timer alone keeps no program alive. (Outside Node it is a number, and nothing waits for it anyway.)
  if (typeof timer === 'object') timer.unref();
  look();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      const late = new Promise<void>((resolve) => unrefTimeout(lastMs, resolve));
      await Promise.race([running, late]);
    },
  };
}

/** How long bytes that could not be removed are left before they are tried again. */
const againMs = 3_600_000;

/**
 * Removes the bytes whose time has come, then forgets them. What ends halfway is done again: both may be repeated. What cannot be
 * removed is reported and tried again later, and keeps nothing else from going.
 */
export async function removeBytes(
  blobs: Blobs,
  ledger: BlobLedger,
  { report, stopped = () => false }: { readonly report: RemovalInit['report']; readonly stopped?: () => boolean },
): Promise<void> {
  while (!stopped()) {
    const keys = await ledger.due({ limit });
    if (keys.length === 0) return;
    const { gone, failed } = await removeAll(blobs, keys);
    await ledger.forget(gone);
    if (failed.length === 0) continue;
    await ledger.postpone(
      failed.map(({ key }) => key),
      againMs,
    );
    for (const { key, error } of failed) report(`bytes that nobody needs were not removed: ${key}`, error);
    // None went: it is the store that is ill, and the rest would go no better.
    if (gone.length === 0) return;
  }
}

interface Removed {
  readonly gone: readonly string[];
  readonly failed: readonly { readonly key: string; readonly error: unknown }[];
}

/** All at once, and where that fails, one by one. */
async function removeAll(blobs: Blobs, keys: readonly string[]): Promise<Removed> {
  try {
    await blobs.remove(keys);
    return { gone: keys, failed: [] };
  } catch (error) {
    // Nothing is wrong with these keys: they stay due.
    if (isStorageUnavailable(error)) throw error;
    const [only, ...others] = keys;
    if (only !== undefined && others.length === 0) return { gone: [], failed: [{ key: only, error }] };
  }
  const gone: string[] = [];
  const failed: { key: string; error: unknown }[] = [];
  for (const key of keys) {
    try {
      await blobs.remove([key]);
      gone.push(key);
    } catch (error) {
      if (isStorageUnavailable(error)) throw error;
      failed.push({ key, error });
      // So many from the start: nothing can be removed now. The rest stays due.
      if (gone.length === 0 && failed.length === maxFailures) break;
    }
  }
  return { gone, failed };
}

/** Failures without a success after which a store is taken to be out of order. */
const maxFailures = 5;
