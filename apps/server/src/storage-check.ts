import { setTimeout as sleep } from 'node:timers/promises';
import type { Blobs, Stores } from '@modelwire/server';

/** Several probes may run every second: the result is cached for this long. */
const cacheTtlMs = 5000;
const timeoutMs = 3000;

/** Returns a check that resolves with the problem of the storage, or with undefined if it is writable. */
export function storageCheck(
  stores: Pick<Stores, 'check'>,
  blobs: Pick<Blobs, 'check'>,
): () => Promise<string | undefined> {
  let last: { readonly at: number; readonly result: Promise<string | undefined> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= cacheTtlMs) last = { at: now, result: findProblem(stores, blobs) };
    return last.result;
  };
}

async function findProblem(stores: Pick<Stores, 'check'>, blobs: Pick<Blobs, 'check'>): Promise<string | undefined> {
  const [database, bytes] = await Promise.all([isFailing(stores), isFailing(blobs)]);
  if (database) return 'cannot write to the database';
  return bytes ? 'cannot write file contents' : undefined;
}

async function isFailing(storage: { check(): Promise<void> }): Promise<boolean> {
  const timeout = new AbortController();
  try {
    return await Promise.race([
      storage.check().then(() => false),
      sleep(timeoutMs, true, { signal: timeout.signal, ref: false }),
    ]);
  } catch {
    return true;
  } finally {
    timeout.abort();
  }
}
