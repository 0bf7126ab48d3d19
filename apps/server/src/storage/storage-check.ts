import { setTimeout as sleep } from 'node:timers/promises';
import type { Blobs, Stores } from '@modelwire/ports';

/** Several probes may run every second: the result is cached for this long. */
const cacheTtlMs = 5000;
const timeoutMs = 3000;

/** The problem of each storage; undefined if it is writable. */
export interface StorageProblems {
  readonly database: string | undefined;
  readonly files: string | undefined;
}

/** Returns a check of the storage. */
export function storageCheck(
  stores: Pick<Stores, 'check'>,
  blobs: Pick<Blobs, 'check'>,
): () => Promise<StorageProblems> {
  let cached: { readonly at: number; readonly result: Promise<StorageProblems> } | undefined;
  return () => {
    const now = performance.now();
    if (!cached || now - cached.at >= cacheTtlMs) cached = { at: now, result: findProblems(stores, blobs) };
    return cached.result;
  };
}

async function findProblems(stores: Pick<Stores, 'check'>, blobs: Pick<Blobs, 'check'>): Promise<StorageProblems> {
  const [database, files] = await Promise.all([isFailing(stores), isFailing(blobs)]);
  return {
    database: database ? 'cannot write to the database' : undefined,
    files: files ? 'cannot write file contents' : undefined,
  };
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
