import type { KitOptions } from './options.ts';
import type { Blobs } from './ports/blobs.ts';
import type { BlobLedger } from './ports/blob-ledger.ts';

/** How often it looks, and how much it removes in one go: small enough to disturb nobody. */
const everyMs = 60_000;
const limit = 500;

/**
 * Removes in the background what is past its time: stored completions after `retentionDays`, idempotency keys, files and uploads
 * after theirs, and the bytes that no record has any more.
 */
export function startRemoval({ stores, blobs, retentionDays, report }: KitOptions): { stop(): void } {
  if (!stores) return { stop: () => undefined };
  async function remove(): Promise<void> {
    const now = Date.now();
    const completionsBefore = retentionDays === undefined ? undefined : Math.floor(now / 1000) - retentionDays * 86_400;
    try {
      let removed: number | undefined;
      do removed = await stores?.removeExpired({ completionsBefore, now, limit });
      while (removed !== undefined && removed >= limit);
    } catch (error) {
      report('what is old was not removed', error);
    }
    try {
      if (stores && blobs) await removeBytes(blobs, stores.ledger, now);
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
  return { stop: () => clearInterval(timer) };
}

/** Removes the bytes whose time has come, then forgets them. What ends halfway is done again: both may be repeated. */
export async function removeBytes(blobs: Blobs, ledger: BlobLedger, now: number): Promise<void> {
  for (;;) {
    const keys = await ledger.due({ now, limit });
    if (keys.length === 0) return;
    await blobs.remove(keys);
    await ledger.forget(keys);
  }
}
